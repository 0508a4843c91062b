#!/usr/bin/env bash
# The first day, rehearsed: make a network, serve it by HTTPS with a certificate from
# an authority on this machine, reach it with curl, load it, reload it, restart it.
#
#     examples/operate/first-day.sh [NETCTL]
#
# It needs Go and curl, and leaves nothing behind. TLS_PORT and HTTP_PORT are the
# ports of 127.0.0.1 that it uses.
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
server=
cleanup() {
  [ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null || true
  exec 8>&- || true
  rm -rf "$work"
}
trap cleanup EXIT
export XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data XDG_STATE_HOME=$work/state
tls=${TLS_PORT:-18443} plain=${HTTP_PORT:-18080} at=https://127.0.0.1:${TLS_PORT:-18443}

step() { printf '\n== %s (%ss)\n' "$1" "$SECONDS"; }
fail() { echo "$1"; cat "$work/log" 2>/dev/null; exit 1; }

step "build"
netctl=${1:-$work/netctl}
[ -n "${1:-}" ] || (cd "$top" && CGO_ENABLED=0 go build -o "$netctl" ./cmd/netctl)
(cd "$top" && CGO_ENABLED=0 go build -o "$work/testca" ./examples/operate/testca)

step "an authority"
mkfifo "$work/stdin" "$work/directory"
"$work/testca" "$plain" "$tls" "$work/authority.pem" "$work/roots.pem" < "$work/stdin" > "$work/directory" &
exec 8> "$work/stdin"
read -r directory < "$work/directory"
echo "$directory"

step "init"
"$netctl" init --data "$work/net" --network first-day >/dev/null

# serve starts the server and waits until it shows a certificate that is trusted.
serve() {
  "$netctl" serve --data "$work/net" --addr 127.0.0.1:0 --intent-addr 127.0.0.1:0 --rate 100000 --spawn-rate 100000 --log-file "$work/log" --quiet \
    --domain 127.0.0.1 --tls-addr "127.0.0.1:$tls" --http-addr "127.0.0.1:$plain" --acme-directory "$directory" --acme-root "$work/authority.pem" &
  server=$!
  for _ in $(seq 300); do
    curl -fsS --cacert "$work/roots.pem" "$at/api/health" >/dev/null 2>&1 && return
    kill -0 "$server" || fail "the server ended"
    sleep 0.1
  done
  fail "https does not answer"
}

step "serve by HTTPS"
serve
curl -sS -o /dev/null -D - --cacert "$work/roots.pem" "$at/" | grep -i '^strict-transport-security' || fail "no HSTS"
curl -sS -o /dev/null -w '%{http_code} %{redirect_url}\n' "http://127.0.0.1:$plain/market" | grep "^308 $at/market" || fail "plain http does not lead to https"

step "load"
for i in $(seq 10); do
  curl -fsS --cacert "$work/roots.pem" -H 'Content-Type: application/json' -H "Idempotency-Key: first-$i" -d "{\"slug\":\"agent-$i\"}" "$at/api/agent/spawn" >/dev/null
done
"$netctl" --data "$work/net" -q agent show agent-10 >/dev/null || fail "the agents are not there"

step "reload"
kill -HUP "$server"
for _ in $(seq 100); do grep -q '"msg":"reload"' "$work/log" && break; sleep 0.1; done
grep -q '"msg":"reload"' "$work/log" || fail "no reload in the log"

step "restart, with the certificate in the folder"
kill "$server"; wait "$server"; server=
exec 8>&- # the authority ends
serve
"$netctl" --data "$work/net" --quiet ledger verify --from "$work/net" >/dev/null
kill "$server"; wait "$server"; server=

step "done"
