#!/usr/bin/env bash
# The archive and its standby, rehearsed: serve a network with an archive, follow it,
# destroy the server under load, take over with the standby, and name what is missing.
#
#     examples/operate/standby.sh [NETCTL [ARCHIVE]]
#
# It needs nothing but Go, or a netctl that is built, and leaves nothing behind. An
# ARCHIVE such as s3://bucket/new?region=us-east-1&endpoint=http://127.0.0.1:7070, in
# which nothing is yet, takes the place of a folder; it keeps what was written.
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
server=
cleanup() {
  [ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT
export XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data XDG_STATE_HOME=$work/state

step() { printf '\n== %s (%ss)\n' "$1" "$SECONDS"; }

step "build"
netctl=${1:-$work/netctl}
[ -n "${1:-}" ] || (cd "$top" && CGO_ENABLED=0 go build -o "$netctl" ./cmd/netctl)
(cd "$top" && go run ./examples/operate/agekey "$work/standby.key" > "$work/standby.pub")
archive=${2:-file://$work/archive}
export NETCTL_SERVE_ARCHIVE_RECIPIENT=$work/standby.pub

# serve FOLDER starts a server with the archive and waits until it answers.
serve() {
  "$netctl" serve --data "$1" --archive "$archive" --addr 127.0.0.1:0 --intent-addr 127.0.0.1:0 --rate 100000 --spawn-rate 100000 --log-file "$work/log" --quiet &
  server=$!
  for _ in $(seq 300); do
    "$netctl" --data "$1" doctor -q -o json 2>/dev/null | grep -q '"process .* serves the folder' && return
    kill -0 "$server" || { echo "the server ended"; cat "$work/log"; exit 1; }
    sleep 0.1
  done
  echo "the server does not answer"; exit 1
}

# netctl on the served folder, as its operator.
on() { local dir=$1; shift; "$netctl" --data "$dir" -q -y "$@"; }

step "serve with an archive, and load"
serve "$work/net"
for i in $(seq 20); do on "$work/net" agent spawn "before-$i" >/dev/null; done
on "$work/net" agent role before-1 correspondent --reason "a private reason" >/dev/null
entry=$(on "$work/net" ledger ls --kind agent.roles -o json --jq '.[0].seq')

step "follow, erase, follow again"
"$netctl" follow "$archive" --identity "$work/standby.key" --data "$work/standby" --once -q
on "$work/net" ledger erase-private "$entry" --reason "asked to" >/dev/null
sleep 2 # the archive follows within a second
"$netctl" follow "$archive" --identity "$work/standby.key" --data "$work/standby" --once -q

step "kill the server under load"
(export NETCTL_RETRIES=0; for i in $(seq 200); do on "$work/net" agent spawn "under-load-$i" >/dev/null 2>&1 || exit 0; done) &
writer=$!
sleep 1.5
kill -9 "$server"; wait "$server" 2>/dev/null || true; server=
wait "$writer"

step "take over, and audit the new folder"
"$netctl" follow "$archive" --identity "$work/standby.key" --data "$work/standby" --take-over -q
"$netctl" ledger verify --data "$work/standby" -q

step "the old folder is refused, and names what only it has"
"$netctl" serve --data "$work/net" --archive "$archive" --addr 127.0.0.1:0 --intent-addr 127.0.0.1:0 -q 2>"$work/refused" && { echo "the old folder started"; exit 1; }
grep -q "another writer took over" "$work/refused"
"$netctl" doctor --data "$work/net" -q -o json > "$work/doctor" || true
grep -q "another folder has written" "$work/doctor"
echo "entries that only the old folder has: $(grep -c "was acknowledged to" "$work/doctor" || true)"

step "serve on"
serve "$work/standby"
on "$work/standby" agent spawn after >/dev/null
if on "$work/standby" ledger show "$entry" -o json | grep -q "a private reason"; then echo "the erased text is there"; exit 1; fi

step "done"
