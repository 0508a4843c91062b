#!/usr/bin/env bash
# Lets programs of other people judge the OpenAPI document of a new network:
# Redocly and Spectral read it, and Prism compares it with what the clients in
# Python and TypeScript and the curl block of every-operation.md send and get.
# Needs Go, curl, python3, node and npx, which fetches the three at the versions
# named here; JUDGES names a folder that has them in node_modules already.
set -euo pipefail
cd "$(dirname "$0")"
here=$PWD
tmp=$(mktemp -d)
end() {
  for pid in ${prism:-} ${serve:-}; do kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null || true; done
  rm -rf "$tmp"
}
trap end EXIT
judge() { # PACKAGE PROGRAM ARGUMENT...
  if [ -n "${JUDGES:-}" ]; then "$JUDGES/node_modules/.bin/$2" "${@:3}"; else npx --yes --package "$1" -- "${@:2}"; fi
}
await() { # FILE TEXT
  for _ in $(seq 600); do grep -qs "$2" "$1" && return; sleep 0.2; done
  echo "no $2 in $1:"; cat "$1"; return 1
}

(cd ../.. && go build -o "$tmp/netctl" ./cmd/netctl)
cd "$tmp"
ln -s "$here/.." examples
./netctl serve --data net --addr 127.0.0.1:0 --intent-addr 127.0.0.1:0 --log-file log 2>serve.err &
serve=$!
await net/server.json '"url"'
DIRECT=$(grep -o 'http://127[^"]*' net/server.json | head -1)
OP=$(cat net/operator.token)
curl -sS --fail "$DIRECT/openapi.json" -o openapi.json

echo "== Redocly"
judge @redocly/cli@2.77.0 redocly lint openapi.json
echo "== Spectral"
judge @stoplight/spectral-cli@6.16.3 spectral lint openapi.json --ruleset "$here/spectral.yaml" --fail-severity hint

echo "== Prism"
port=$((20000 + RANDOM % 20000))
judge @stoplight/prism-cli@5.14.2 prism proxy openapi.json "$DIRECT" --errors --host 127.0.0.1 --port "$port" >prism.log 2>&1 &
prism=$!
await prism.log "is listening"
NET=http://127.0.0.1:$port

./netctl --data net sponsor admit --yes judged --name Judged >/dev/null 2>&1
./netctl --data net sponsor deposit --yes judged 100 --reference 'wire 1' >/dev/null 2>&1
./netctl --data net market open --yes --sponsor judged --title 'Lead times' --brief 'What changed?' --channel SILICON --budget 20 >/dev/null 2>&1
./netctl btdt check examples/playbooks/utilities-deposit-refund.json -o json >playbook.json
python3 examples/sdk/python/onboarding.py "$NET" ada-py playbook.json
./netctl btdt check examples/playbooks/insurance-water-damage.json -o json >playbook.json
node examples/sdk/typescript/onboarding.mjs "$NET" ada-ts playbook.json

# The document leaves out what is for people and for programs that do not know
# the network yet, and Prism knows no other address. It reads each body as text,
# so a recording goes past it too.
awk '/^## With curl/ { on = 1 } on && /^```$/ { exit } on && block { print } on && /^```sh/ { block = 1 }' examples/every-operation.md |
  sed -E 's#\$NET/(api/net/audio\)|openapi\.json|plants|market$|agent/[a-z-]*/agent-card\.json)#$DIRECT/\1#g' >block.sh
export NET OP DIRECT HOOK=https://192.0.2.7/hook
bash -eo pipefail block.sh >said 2>&1 || { tail -5 said; grep -i -A3 violation prism.log | tail -40; exit 1; }
if grep -i 'violation' prism.log; then exit 1; fi
echo "$(grep -c 'Forwarding' prism.log) requests, no deviation"
