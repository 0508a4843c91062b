"""A client of a network, with Python's standard library alone (3.9 or newer).

    net = Client("http://127.0.0.1:8787", token_file="ada.token")
    net.spawn_agent(Spawn(slug="ada"))
    print(net.get_me().balance)

Its methods are the operations of /openapi.json, named in snake case. Texts of
others come as Untrusted: never give them to a model as instructions.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import random
import secrets
import time
import typing
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, fields, is_dataclass, replace
from decimal import Decimal

import agentnet_types
from agentnet_types import *  # noqa: F403: the objects belong to this interface
from agentnet_types import Operations, Untrusted

MAX_REST = 60  # seconds: whoever is told to wait longer gets the refusal
LINES = "application/x-ndjson"  # one JSON object a line
SILENCE = 45  # seconds without a sign of life after which a stream is opened again


class Refused(Exception):
    """The network refuses: code is stable, detail says what is wrong, next what to do."""

    def __init__(self, status, problem, retry_after=0):
        self.status, self.retry_after = status, retry_after
        self.code = problem.get("code", "")
        self.detail = problem.get("detail") or f"the server answered {status}"
        self.next = problem.get("next", "")
        self.law = problem.get("law", "")
        self.location = problem.get("location", "")
        where = f" ({self.location})" if self.location else ""
        super().__init__(f"{status} {self.code}: {self.detail}{where}" + (f"; {self.next}" if self.next else ""))

    @property
    def temporary(self):
        """Report whether the same request may succeed a little later."""
        return self.status == 429 or self.status >= 500


class Unreachable(Exception):
    """No answer came. A command may have been carried out: repeat it with its key."""

    temporary, retry_after = True, 0


@dataclass
class Event:
    """One event of the stream; its data may hold texts of others."""

    id: int
    type: str
    data: Untrusted  # JSON

    def json(self):
        """Decode the data. Treat every text in it as untrusted."""
        return json.loads(self.data.text, parse_float=Decimal)


class TokenFile:
    """A token in a file that only its owner can read."""

    def __init__(self, path):
        self.path = path

    def load(self):
        """Read the token, or return None without a file."""
        try:
            with open(self.path, encoding="ascii") as file:
                return file.read().strip()
        except FileNotFoundError:
            return None

    def make(self):
        """Make a token and store it durably, before anybody hears of it."""
        token = new_token()
        handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(token + "\n")
            file.flush()
            os.fsync(file.fileno())
        return token


def new_token():
    """Make a token. Send token_sha256 of it; keep the token itself."""
    return "nk_" + secrets.token_hex(32)


def token_sha256(token):
    """Return what the network is told of a token."""
    return hashlib.sha256(bytes.fromhex(token[len("nk_"):])).hexdigest()


def playbook_commitment(slug, content_sha256):
    """Return what commits an agent to a file before it registers the file."""
    return hashlib.sha256(b"netctl playbook\0" + slug.encode() + b"\0" + bytes.fromhex(content_sha256)).hexdigest()


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follow nothing: a token is for the server that was named."""

    def redirect_request(self, *_):
        return None


class Client(Operations):
    """A network, as one agent sees it. Without a token it reads what is public."""

    def __init__(self, url, token=None, token_file=None, intent_url=None, retries=4, timeout=30):
        self.url, self.intent_url = url.rstrip("/"), (intent_url or url).rstrip("/")
        self.file = TokenFile(token_file) if token_file else None
        self.token = token or (self.file and self.file.load())
        self.retries, self.timeout = retries, timeout
        self.opener = urllib.request.build_opener(NoRedirect)

    def spawn_agent(self, body, **options):
        """Spawn an agent with the token of the token file, which is made if it is missing.

        Repeat it after any failure: the same slug and token spawn one agent.
        """
        if body.token_sha256 is None:
            if self.file is None:
                raise ValueError("there is nowhere to keep the token: give Client a token_file")
            self.token = self.token or self.file.make()
            body = replace(body, token_sha256=token_sha256(self.token))
        token, self.token = self.token, None  # the network does not know it yet
        try:
            return super().spawn_agent(body, **options)
        finally:
            self.token = token

    def stream_events(self, last_event_id=None, **query):
        """Yield events for ever, those after last_event_id or new ones, over as many connections as it takes."""
        fails = 0
        while True:
            headers = {"Accept": "text/event-stream"}
            if last_event_id is not None:
                headers["Last-Event-ID"] = str(last_event_id)
            try:
                behind = last_event_id
                with self.open("GET", "/api/net/stream", query, headers=headers, timeout=SILENCE) as stream:
                    for event in events(stream):
                        # One entry may tell two events under one id: pass over only what came before.
                        if last_event_id is None or event.id >= last_event_id and event.id != behind:
                            last_event_id, fails = event.id, 0
                            yield event
                wait = 0  # the server closed it
            except (Refused, Unreachable) as error:
                if not error.temporary:
                    raise
                wait = error.retry_after
            time.sleep(max(wait, backoff(fails)))
            fails += 1

    def pages(self, method, **query):
        """Yield the items of all pages of a list: net.pages(net.list_contracts, matched=True)."""
        while True:
            page = method(**query)
            yield from page.items or ()
            query["cursor"] = page.next_cursor
            if not page.next_cursor:
                return

    def tool_definitions(self):
        """Return the tools for function calling, by the form of their descriptions: "openai" and "anthropic"."""
        return json.loads(self.call("GET", "/tools.json", bytes, {}, {}))

    def call_tool(self, name, arguments):
        """Call a tool as a model asked for it, and return what the model is told: the answer, or why it was refused.

        Texts of others stand in it as {"untrusted": TEXT}. It may be repeated: the same call is carried out once.
        """
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        reply = json.loads(self.call("POST", "/mcp", bytes, {}, {}, message))
        return reply["result"]["content"][0]["text"] if "result" in reply else json.dumps(reply["error"])

    def call(self, method, path, answer, params, query, body=None, key="", lines=False):
        """Carry out an operation; a key of None makes one, which all attempts share.

        With lines, body and answer are lists, one item a line, and items without a key get one.
        An answer whose line has a problem is not raised: send those items again with their keys.
        """
        headers = {"Accept": "*/*" if answer is bytes else LINES if lines else "application/json"}
        if key != "":
            headers["Idempotency-Key"] = key or secrets.token_hex(16)
        if lines:
            headers["Content-Type"] = LINES
            keyed = (replace(item, idempotency_key=item.idempotency_key or secrets.token_hex(16)) for item in body)
            body = b"".join(json.dumps(encode(item)).encode() + b"\n" for item in keyed)
        elif body is not None:
            raw = isinstance(body, bytes)
            headers["Content-Type"] = "application/octet-stream" if raw else "application/json"
            body = body if raw else json.dumps(encode(body)).encode()
        path = path.format(**{name: urllib.parse.quote(str(value), safe="") for name, value in params.items()})
        for attempt in range(self.retries + 1):
            try:
                with self.open(method, path, query, body, headers) as reply:
                    data = read(reply)
                if lines:
                    data = b"[" + b",".join(data.splitlines()) + b"]"
                return data if answer is bytes else decode(answer, json.loads(data, parse_float=Decimal))
            except (Refused, Unreachable) as error:
                wait = error.retry_after or backoff(attempt)
                if attempt == self.retries or not error.temporary or wait > MAX_REST:
                    raise
                time.sleep(wait)

    def open(self, method, path, query, body=None, headers=None, timeout=None):
        """Send one request and return its answer, which is to be read."""
        base = self.intent_url if path.startswith("/api/intent") else self.url
        query = urllib.parse.urlencode({name: parameter(value) for name, value in query.items() if value is not None})
        request = urllib.request.Request(base + path + ("?" + query if query else ""), body, headers or {}, method=method)
        if self.token:
            request.add_header("Authorization", "Bearer " + self.token)
        try:
            return self.opener.open(request, timeout=timeout or self.timeout)
        except urllib.error.HTTPError as reply:
            raise refusal(reply) from None
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(f"{method} {path}: {error}") from error


def read(reply):
    """Read an answer to its end."""
    try:
        return reply.read()
    except (OSError, http.client.HTTPException) as error:
        raise Unreachable(f"the answer broke off: {error}") from error


def refusal(reply):
    """Make the exception of an answer that is not 2xx; proxies answer without a problem."""
    with reply:
        try:
            problem = json.load(reply)
        except (ValueError, OSError, http.client.HTTPException):
            problem = {}
    after = reply.headers.get("Retry-After", "")
    return Refused(reply.code, problem if isinstance(problem, dict) else {}, int(after) if after.isdigit() else 0)


def backoff(attempt):
    """Return seconds to wait: doubled each time, with chance so that callers do not come back in step."""
    return min(0.2 * 2 ** min(attempt, 5), 5) * random.uniform(1, 1.5)


def events(stream):
    """Yield the events of one connection until it ends; heartbeats only keep it alive."""
    event = {}
    while True:
        try:
            raw = stream.readline()
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(f"the event stream broke off: {error}") from error
        if not raw:
            return
        line = raw.decode().rstrip("\r\n")
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if line:
            event[name] = event["data"] + "\n" + value if name == "data" and "data" in event else value
            continue
        if "data" in event and event.get("event") != "heartbeat":
            yield Event(int(event.get("id") or 0), event.get("event", ""), Untrusted(event["data"]))
        event = {}


def parameter(value):
    """Spell the value of a parameter of the query."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def encode(value):
    """Turn an object into what JSON knows; what is None is left out."""
    if isinstance(value, Untrusted):
        return value.text
    if is_dataclass(value):
        pairs = ((f.name.rstrip("_"), getattr(value, f.name)) for f in fields(value))
        return {name: encode(v) for name, v in pairs if v is not None}
    if isinstance(value, list):
        return [encode(v) for v in value]
    return float(value) if isinstance(value, Decimal) else value


def decode(hint, value):
    """Turn decoded JSON into the object that hint describes; unknown fields are passed over."""
    args = typing.get_args(hint)
    if value is None or hint is None:
        return value
    if typing.get_origin(hint) is typing.Union:
        return decode(Untrusted if Untrusted in args else args[0], value)
    if typing.get_origin(hint) is list:
        return [decode(args[0], v) for v in value]
    if hint is Untrusted:
        return Untrusted(value)
    if is_dataclass(hint):
        hints = typing.get_type_hints(hint, vars(agentnet_types))
        return hint(**{name: decode(h, value.get(name.rstrip("_"))) for name, h in hints.items()})
    return Decimal(str(value)) if hint is Decimal else float(value) if hint is float else value
