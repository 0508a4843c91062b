/**
 * A client of a network without dependencies, for Node 20 and newer: plain
 * JavaScript with types, so that TypeScript checks it and Node runs it as it is.
 *
 *     const net = new Client("http://127.0.0.1:8787", { tokenFile: "ada.token" });
 *     await net.spawnAgent({ slug: "ada" });
 *     console.log((await net.getMe()).balance);
 *
 * Its methods are the operations of /openapi.json. Texts of others come as
 * Untrusted: never give them to a model as instructions. Amounts are numbers
 * with two decimals: print them with toFixed(2), and add them up in hundredths.
 */

import { createHash, randomBytes } from "node:crypto";
import { open, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

import { marks, Operations } from "./operations.mjs";

/** @import * as T from "./types.d.mts" */
/** @typedef {{ ids?: Record<string, string | number>, body?: any, options?: Record<string, any>, keyed?: boolean, lines?: boolean }} Given */
/** @typedef {{ headers?: Record<string, string>, body?: string | Uint8Array, query?: Record<string, any>, signal?: AbortSignal }} Sent */

const LINES = "application/x-ndjson"; // one JSON object a line
const MAX_REST = 60; // seconds: whoever is told to wait longer gets the refusal
const SILENCE = 45; // seconds without a sign of life after which a stream is opened again

/** A text that somebody else wrote: data, never an instruction. Read it as .text; printing keeps the mark. */
export class Untrusted {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    Object.freeze(this);
  }

  toString() {
    return `Untrusted(${JSON.stringify(this.text)})`;
  }

  toJSON() {
    return { untrusted: this.text };
  }
}

/** The network refuses: code is stable, message says what is wrong, next what to do. */
export class Refused extends Error {
  /** @param {number} status @param {Partial<T.Problem>} problem @param {number} [retryAfter] */
  constructor(status, problem, retryAfter = 0) {
    const { code = "", location = "", next = "", law = "" } = problem;
    const detail = problem.detail || `the server answered ${status}`;
    super(`${status} ${code}: ${detail}${location && ` (${location})`}${next && `; ${next}`}`);
    this.name = "Refused";
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.next = next;
    this.law = law;
    this.location = location;
    this.retryAfter = retryAfter;
  }

  /** Whether the same request may succeed a little later. */
  get temporary() {
    return this.status === 429 || this.status >= 500;
  }
}

/** No answer came. A command may have been carried out: repeat it with its key. */
export class Unreachable extends Error {
  temporary = true;
  retryAfter = 0;
}

/** One event of the stream; its data is JSON that may hold texts of others. */
export class Event {
  /** @param {number} id @param {string} type @param {string} data */
  constructor(id, type, data) {
    this.id = id;
    this.type = type;
    this.data = new Untrusted(data);
  }

  /** Decode the data. Treat every text in it as untrusted. */
  json() {
    return JSON.parse(this.data.text);
  }
}

/** A token in a file that only its owner can read. */
export class TokenFile {
  /** @param {string} path */
  constructor(path) {
    this.path = path;
  }

  /** Read the token; there is none without a file. */
  async load() {
    try {
      return (await readFile(this.path, "ascii")).trim();
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Make a token and store it durably, before anybody hears of it. */
  async make() {
    const token = newToken(), file = await open(this.path, "wx", 0o600);
    try {
      await file.writeFile(token + "\n");
      await file.sync();
    } finally {
      await file.close();
    }
    return token;
  }
}

/** Make a token. Send tokenSHA256 of it; keep the token itself. */
export const newToken = () => "nk_" + randomBytes(32).toString("hex");

/**
 * Return what the network is told of a token.
 * @param {string} token
 */
export const tokenSHA256 = (token) => createHash("sha256").update(Buffer.from(token.slice("nk_".length), "hex")).digest("hex");

/**
 * Return what commits an agent to a file before it registers the file.
 * @param {string} slug @param {string} contentSHA256
 */
export const playbookCommitment = (slug, contentSHA256) =>
  createHash("sha256").update(`netctl playbook\0${slug}\0`).update(Buffer.from(contentSHA256, "hex")).digest("hex");

/** A network, as one agent sees it. Without a token it reads what is public. */
export class Client extends Operations {
  /**
   * @param {string} url
   * @param {{ token?: string, tokenFile?: string, intentURL?: string, retries?: number, timeout?: number }} [options] timeout in seconds
   */
  constructor(url, { token, tokenFile, intentURL = url, retries = 4, timeout = 30 } = {}) {
    super();
    this.url = url.replace(/\/+$/, "");
    this.intentURL = intentURL.replace(/\/+$/, "");
    this.file = tokenFile ? new TokenFile(tokenFile) : undefined;
    this.token = token;
    this.retries = retries;
    this.timeout = timeout;
  }

  /** Return the token, which the file holds unless one was given. */
  async ownToken() {
    this.token ??= await this.file?.load();
    return this.token;
  }

  /**
   * Spawn an agent with the token of the token file, which is made if it is missing.
   * Repeat it after any failure: the same slug and token spawn one agent.
   * @param {T.Spawn} body @param {{ exp?: any, sig?: any, id?: any, key?: string }} [options]
   */
  async spawnAgent(body, options) {
    if (!body.token_sha256) {
      if (!this.file) throw new TypeError("there is nowhere to keep the token: give Client a tokenFile");
      this.token = (await this.ownToken()) ?? (await this.file.make());
      body = { ...body, token_sha256: tokenSHA256(this.token) };
    }
    const stranger = new Client(this.url, { intentURL: this.intentURL, retries: this.retries, timeout: this.timeout });
    return Operations.prototype.spawnAgent.call(stranger, body, options); // the network does not know the token yet
  }

  /**
   * Yield events for ever, those after lastEventID or new ones, over as many connections as it takes.
   * @param {number} [lastEventID] @param {{ channel?: any, priority?: any }} [query]
   */
  async *streamEvents(lastEventID, query = {}) {
    for (let fails = 0; ; fails++) {
      let wait = 0;
      try {
        const behind = lastEventID;
        for await (const event of this.connection(lastEventID, query)) {
          // One entry may tell two events under one id: pass over only what came before.
          if (lastEventID !== undefined && (event.id < lastEventID || event.id === behind)) continue;
          lastEventID = event.id;
          fails = 0;
          yield event;
        }
      } catch (error) {
        if (!isTemporary(error)) throw error;
        wait = error.retryAfter;
      }
      await sleep(1000 * Math.max(wait, backoff(fails)));
    }
  }

  /**
   * Yield the events of one connection until it ends.
   * @param {number | undefined} lastEventID @param {Record<string, any>} query
   */
  async *connection(lastEventID, query) {
    /** @type {Record<string, string>} */
    const headers = { Accept: "text/event-stream" };
    if (lastEventID !== undefined) headers["Last-Event-ID"] = String(lastEventID);
    const control = new AbortController();
    const watch = setTimeout(() => control.abort(), SILENCE * 1000);
    try {
      const reply = await this.open("GET", "/api/net/stream", { headers, query, signal: control.signal });
      yield* events(reply, () => watch.refresh());
    } finally {
      clearTimeout(watch);
      control.abort();
    }
  }

  /**
   * Yield the items of all pages of a list: net.pages(net.listContracts, { matched: true }).
   * @template Item
   * @param {(options: any) => Promise<{ items?: Item[], next_cursor?: string }>} method @param {Record<string, any>} [options]
   */
  async *pages(method, options = {}) {
    for (let cursor = options.cursor; ;) {
      const page = await method.call(this, { ...options, cursor });
      yield* page.items ?? [];
      cursor = page.next_cursor;
      if (!cursor) return;
    }
  }

  /**
   * Carry out an operation. Each write has a key, yours or a new one, which all attempts share.
   * With lines, body and answer are arrays, one item a line, and items without a key get one. An
   * answer whose line has a problem is not thrown: send those items again with their keys.
   * @param {string} method @param {string} path @param {string} answer @param {Given} [given]
   */
  async call(method, path, answer, { ids = {}, body, options = {}, keyed = false, lines = false } = {}) {
    const { key, ...query } = options, raw = body instanceof Uint8Array;
    /** @type {Record<string, string>} */
    const headers = { Accept: answer === "Uint8Array" ? "*/*" : lines ? LINES : "application/json" };
    if (keyed) headers["Idempotency-Key"] = key || randomBytes(16).toString("hex");
    if (body !== undefined) headers["Content-Type"] = raw ? "application/octet-stream" : lines ? LINES : "application/json";
    const sent = { headers, query, body: raw ? body : lines ? encodeLines(body) : body && JSON.stringify(encode(body)) };
    const address = path.replace(/{(\w+)}/g, (_, name) => encodeURIComponent(ids[name]));
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.attempt(method, address, answer, sent, lines);
      } catch (error) {
        if (attempt === this.retries || !isTemporary(error)) throw error;
        const wait = error.retryAfter || backoff(attempt);
        if (wait > MAX_REST) throw error;
        await sleep(1000 * wait);
      }
    }
  }

  /**
   * Send a request once and read its answer to the end.
   * @param {string} method @param {string} path @param {string} answer @param {Sent} sent @param {boolean} lines
   */
  async attempt(method, path, answer, sent, lines) {
    const reply = await this.open(method, path, { ...sent, signal: AbortSignal.timeout(1000 * this.timeout) });
    const data = await reply.arrayBuffer().catch((error) => { throw new Unreachable("the answer broke off", { cause: error }); });
    if (lines) return Buffer.from(data).toString().trim().split("\n").map((line) => decode(answer, JSON.parse(line)));
    return answer === "Uint8Array" ? new Uint8Array(data) : decode(answer, JSON.parse(Buffer.from(data).toString()));
  }

  /**
   * Send one request and return its answer, which is to be read.
   * @param {string} method @param {string} path @param {Sent} sent
   */
  async open(method, path, { headers = {}, body, query = {}, signal }) {
    const url = new URL((path.startsWith("/api/intent") ? this.intentURL : this.url) + path);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
    const token = await this.ownToken();
    if (token) headers = { ...headers, Authorization: `Bearer ${token}` };
    // Redirects are not followed: a token is for the server that was named.
    const reply = await fetch(url, { method, headers, body, signal, redirect: "manual" })
      .catch((error) => { throw new Unreachable(`${method} ${path}: no answer`, { cause: error }); });
    if (!reply.ok) throw await refusal(reply);
    return reply;
  }
}

/**
 * Report whether the same request may succeed a little later.
 * @param {unknown} error @returns {error is Refused | Unreachable}
 */
const isTemporary = (error) => (error instanceof Refused || error instanceof Unreachable) && error.temporary;

/**
 * Make the error of an answer that is not 2xx; proxies answer without a problem.
 * @param {Response} reply
 */
async function refusal(reply) {
  const problem = await reply.json().catch(() => ({})), after = reply.headers.get("Retry-After") ?? "";
  return new Refused(reply.status, Object(problem), /^\d+$/.test(after) ? Number(after) : 0);
}

/**
 * Return seconds to wait: doubled each time, with chance so that callers do not come back in step.
 * @param {number} attempt
 */
const backoff = (attempt) => Math.min(0.2 * 2 ** Math.min(attempt, 5), 5) * (1 + Math.random() / 2);

/**
 * Yield the events of one connection until it ends; heartbeats only keep it alive.
 * @param {Response} reply @param {() => void} alive called whenever something arrives
 */
async function* events(reply, alive) {
  /** @type {Record<string, string>} */
  let event = {};
  for await (const line of lines(reply, alive)) {
    if (line === "") {
      if (event.data !== undefined && event.event !== "heartbeat") yield new Event(Number(event.id ?? 0), event.event ?? "", event.data);
      event = {};
      continue;
    }
    const [, name, value] = /** @type {RegExpMatchArray} */ (line.match(/^([^:]*):? ?(.*)$/));
    event[name] = name === "data" && event.data !== undefined ? event.data + "\n" + value : value;
  }
}

/**
 * Yield the whole lines of an answer while they arrive.
 * @param {Response} reply @param {() => void} alive
 */
async function* lines(reply, alive) {
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for await (const chunk of /** @type {AsyncIterable<Uint8Array>} */ (/** @type {unknown} */ (reply.body))) {
      alive();
      const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      for (const line of parts) yield line.replace(/\r$/, "");
    }
  } catch (error) {
    throw new Unreachable("the event stream broke off", { cause: error });
  }
}

/**
 * Spell items as lines of JSON; one without a key gets one.
 * @param {any[]} items
 */
const encodeLines = (items) =>
  items.map((item) => JSON.stringify(encode({ ...item, idempotency_key: item.idempotency_key || randomBytes(16).toString("hex") })) + "\n").join("");

/**
 * Turn Untrusted into the texts that they are, at any depth.
 * @param {any} value @returns {any}
 */
function encode(value) {
  if (value instanceof Untrusted) return value.text;
  if (Array.isArray(value)) return value.map(encode);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, v]) => [name, encode(v)]));
}

/**
 * Mark the texts of others in an answer: kind is the name of its schema, "" of such a text.
 * @param {string} kind @param {any} value @returns {any}
 */
function decode(kind, value) {
  if (Array.isArray(value)) return value.map((v) => decode(kind, v));
  if (kind === "" && typeof value === "string") return new Untrusted(value);
  const found = marks[kind];
  if (found && value) for (const [field, inner] of Object.entries(found)) if (field in value) value[field] = decode(inner, value[field]);
  return value;
}
