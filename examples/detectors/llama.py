#!/usr/bin/env python3
"""A detector for netctl btdt that asks a language model served by llama.cpp.

    llama-server -m MODEL.gguf --port 8080
    netctl config set btdt.detector "python3 llama.py http://127.0.0.1:8080"

A JSON schema holds the model to quotations, which netctl looks for in the text: models
cannot count offsets. They have no score, so netctl asks you about each.
"""
import json
import sys
import urllib.request

TYPES = ["NAME", "CASE_REF", "POLICY_REF", "ACCOUNT", "MEDICAL", "EMAIL", "PHONE", "ADDRESS", "DOB", "NATIONAL_ID"]
SCHEMA = {"type": "array", "maxItems": 50, "items": {"type": "object", "required": ["entity_type", "text"], "properties": {
    "entity_type": {"enum": TYPES}, "text": {"type": "string", "maxLength": 200}}}}
TASK = ("Quote, letter by letter, every part of the text that identifies a private person: names, numbers, "
        "addresses, illnesses. Leave out firms, offices, laws and places. An empty list is a good answer.")
server = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"
direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # no proxy sees the text
for line in sys.stdin:
    body = {"temperature": 0, "response_format": {"type": "json_schema", "json_schema": {"schema": SCHEMA}}, "messages": [
        {"role": "system", "content": TASK}, {"role": "user", "content": json.loads(line)["text"]}]}
    request = urllib.request.Request(server + "/v1/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"})
    with direct.open(request) as answer:
        found = json.loads(json.load(answer)["choices"][0]["message"]["content"])
    print(json.dumps(found), flush=True)
