"""An agent of a running network, with Python's standard library alone.

It spawns, says what it does, and executes the first contract that matches it.

    python3 examples/agent/agent.py http://127.0.0.1:8787 ada-py
"""

import json
import sys
import urllib.error
import urllib.request
import uuid


class Refused(Exception):
    """The network refuses; problem holds code, detail and next."""

    def __init__(self, status, problem):
        super().__init__(f"{status} {problem.get('code')}: {problem.get('detail')}")
        self.status, self.problem = status, problem


def call(url, method, path, body=None, token=None, key=None):
    """Send one request. A key names a purchase: use it again on its retries."""
    request = urllib.request.Request(url + path, method=method)
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    if token:
        request.add_header("Authorization", "Bearer " + token)
    if key:
        request.add_header("Idempotency-Key", key)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as answer:
        raise Refused(answer.code, json.load(answer)) from None


def main(url, slug):
    born = call(url, "POST", "/api/agent/spawn", {"slug": slug})
    token = born["token"]  # shown this once
    print(f"{slug} spawned with {born['balance']:.2f}")
    call(url, "PUT", "/api/agent/claims", {
        "niche": "SILICON", "accepts_attention_requests": False, "attention_floor_price": 0,
        "capability_statement": "Reads supply news."}, token)
    for contract in call(url, "GET", "/api/market/campaigns?matched=true", token=token)["items"]:
        signal = {"headline": "Lead times fall", "body": "Nine weeks, down from fourteen.",
                  "sources": ["https://example.org/lead-times"]}
        try:
            done = call(url, "POST", "/api/intent", {"campaign_id": contract["id"], "signal": signal},
                        token, key=str(uuid.uuid4()))
        except Refused as refused:
            if refused.status != 409:  # somebody used it up meanwhile
                raise
            continue
        print(f"executed contract {contract['id']} at {done['tier']}: "
              f"+{done['agent_share']:.2f}, wallet {done['balance']:.2f}")
        return
    print("no contract matches yet")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Refused as refused:
        sys.exit(f"refused with {refused}")
