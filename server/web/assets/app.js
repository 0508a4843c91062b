// What pages gain from a script: they change while others act, transcripts
// seek, texts are copied, and a key pair is made where it stays.
"use strict";

const all = (s, from = document) => [...from.querySelectorAll(s)];
const one = (s, from = document) => from.querySelector(s);
document.documentElement.classList.add("js");

// Live: the event stream says that something happened, the page says what.
// A hidden page lets go of its connection, and catches up when it is seen.
let stream, timer, paused = false, shown = "on";
let seen = document.body.dataset.seq; // last entry that the page knows of
const targets = () => all("[data-live]");
const due = new Set();
const refresh = (type) => {
  due.add(type);
  clearTimeout(timer);
  timer = setTimeout(() => {
    for (const t of targets()) if (due.has("") || t.dataset.live.split(",").some((one) => due.has(one))) window.htmx.trigger(t, "live");
    due.clear();
  }, 250);
};
const listen = () => {
  if (stream || paused || document.hidden) return;
  stream = new EventSource("/api/net/stream?after=" + seen);
  const types = new Set(targets().flatMap((t) => t.dataset.live.split(",")));
  for (const type of types) stream.addEventListener(type, (e) => { seen = e.lastEventId; refresh(type); });
  let lost = false;
  stream.addEventListener("heartbeat", () => { if (lost) { lost = false; refresh(""); } state("on"); });
  stream.onerror = () => { lost = true; state("lost"); };
};
const hush = () => { if (stream) { stream.close(); stream = null; } };
const state = (s) => {
  shown = s;
  for (const b of all("[data-live-state]")) {
    b.hidden = false;
    b.dataset.liveState = s;
    one("span", b).textContent = { on: "Live", off: "Paused", lost: "Reconnecting" }[s];
    b.setAttribute("aria-pressed", String(s === "off"));
  }
};
document.addEventListener("htmx:after:swap", () => state(shown));
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return hush();
  if (!paused) { listen(); refresh(""); }
});
addEventListener("pagehide", hush);
addEventListener("pageshow", listen);
document.addEventListener("click", (e) => {
  const t = e.target.closest("[data-live-state],[data-seek],[data-copy],[data-make-key]");
  if (!t) return;
  if (t.dataset.liveState !== undefined) {
    paused = !paused;
    if (paused) { hush(); state("off"); } else { listen(); refresh(""); state("on"); }
  } else if (t.dataset.seek) {
    const a = one("audio", t.closest("article"));
    a.currentTime = Number(t.dataset.seek);
    a.play();
  } else if (t.dataset.copy) {
    navigator.clipboard.writeText(one("#" + t.dataset.copy).textContent).then(() => say(t, "Copied"));
  } else makeKey(t.closest("form"));
});
const say = (b, text) => {
  const was = b.textContent;
  b.textContent = text;
  setTimeout(() => { b.textContent = was; }, 1500);
};

// Filters act at once where a script runs; the button is for the others.
document.addEventListener("change", (e) => {
  const f = e.target.closest("form[data-instant]");
  if (f) f.requestSubmit();
});
// A text of limited length shows how long it is, from the beginning.
const showLength = (field) => {
  const out = field.dataset.count && one("#" + field.dataset.count);
  if (out) out.textContent = [...field.value.normalize("NFC")].length;
};
all("[data-count]").forEach(showLength);
document.addEventListener("input", (e) => showLength(e.target));

// The playing cue is marked.
for (const a of all("audio")) {
  const cues = all("[data-seek]", a.closest("article"));
  a.addEventListener("timeupdate", () => {
    let now = null;
    for (const c of cues) if (Number(c.dataset.seek) <= a.currentTime) now = c;
    for (const c of cues) c.toggleAttribute("aria-current", c === now && !a.paused);
  });
}

// A key pair for the agent. The private key is made by the browser, signs the
// network's challenge here, and is handed to its owner as a file; nothing but
// the address and the signature is sent.
const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const base58 = (bytes) => {
  let n = 0n, out = "";
  for (const b of bytes) n = n * 256n + BigInt(b);
  for (; n > 0n; n /= 58n) out = alphabet[Number(n % 58n)] + out;
  return out;
};
const base64 = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)));
const post = async (path, fields) => {
  const r = await fetch(path, { method: "POST", body: new URLSearchParams(fields), headers: { Accept: "application/json" } });
  const answer = await r.json();
  if (!r.ok) throw new Error(answer.detail + (answer.next ? ": " + answer.next : ""));
  return answer;
};
async function makeKey(form) {
  const out = one("output", form), button = one("[data-make-key]", form);
  button.disabled = true;
  try {
    if (!window.crypto.subtle) throw new Error("this page is not reached by https or on this machine, so the browser makes no keys: use netctl key instead");
    const pair = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
    const pub = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
    const address = "did:key:z" + base58([0xed, 0x01, ...pub]);
    const asked = await post("/admin/agent-setup/key", { address });
    const signed = await crypto.subtle.sign("Ed25519", pair.privateKey, new TextEncoder().encode(asked.challenge));
    const signature = base64(signed).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    await post("/admin/agent-setup/confirm", { address, challenge: asked.challenge, signature });
    const pem = "-----BEGIN PRIVATE KEY-----\n" + base64(await crypto.subtle.exportKey("pkcs8", pair.privateKey)).replace(/.{64}/g, "$&\n") + "\n-----END PRIVATE KEY-----\n";
    const save = one("[data-save-key]", form);
    save.href = URL.createObjectURL(new Blob([pem], { type: "application/x-pem-file" }));
    save.hidden = false;
    one("[data-go-on]", form).hidden = false;
    button.hidden = true;
    out.textContent = "Confirmed: " + address + ". Save the key file now: this page holds the only copy.";
    save.focus();
  } catch (e) {
    button.disabled = false;
    out.textContent = "That did not work: " + e.message;
  }
}

listen();
state("on");
