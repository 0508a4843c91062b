#!/usr/bin/env python3
"""Computes the test vectors of package seal from the definitions, without a
cryptographic library: RFC 8439 for ChaCha20-Poly1305, RFC 2104 for HMAC (by
Python's own hmac). Writes JSON to standard output."""
import hashlib
import hmac
import json
import struct


def rotate(x, n):
    return ((x << n) | (x >> (32 - n))) & 0xFFFFFFFF


def block(key, counter, nonce):
    state = list(struct.unpack("<16I", b"expand 32-byte k" + key + struct.pack("<I", counter) + nonce))
    work = state[:]

    def quarter(a, b, c, d):
        for x, y, z, n in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            work[x] = (work[x] + work[y]) & 0xFFFFFFFF
            work[z] = rotate(work[z] ^ work[x], n)

    for _ in range(10):
        for q in ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
                  (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)):
            quarter(*q)
    return struct.pack("<16I", *((a + b) & 0xFFFFFFFF for a, b in zip(work, state)))


def poly1305(key, message):
    r = int.from_bytes(key[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    total = 0
    for i in range(0, len(message), 16):
        total = (total + int.from_bytes(message[i:i + 16] + b"\1", "little")) * r % (2**130 - 5)
    return ((total + int.from_bytes(key[16:], "little")) % 2**128).to_bytes(16, "little")


def seal(key, part):
    nonce = bytes(12)
    text = b""
    for i in range(0, len(part), 64):
        stream = block(key, 1 + i // 64, nonce)
        text += bytes(a ^ b for a, b in zip(part[i:i + 64], stream))
    padded = text + bytes(-len(text) % 16) + struct.pack("<QQ", 0, len(text))
    return text + poly1305(block(key, 0, nonce)[:32], padded)


def vector(secret, seq, part):
    key = hmac.new(secret, seq.to_bytes(8, "big"), hashlib.sha256).digest()
    return {"secret": secret.hex(), "seq": seq, "key": key.hex(), "part": part.hex(), "sealed": seal(key, part).hex()}


secrets = [bytes(32), bytes(range(32)), hashlib.sha256(b"netkit seal").digest()]
parts = [b"", b"x", b'{"salt":"AAAAAAAAAAAAAAAAAAAAAA","text":"hello"}', bytes(i * 7 & 255 for i in range(350))]
seqs = [0, 1, 255, 2**32, 2**64 - 1]
print(json.dumps([vector(secrets[i % 3], seq, parts[(i + j) % 4]) for i, seq in enumerate(seqs) for j in range(2)], indent=1))
