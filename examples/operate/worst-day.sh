#!/usr/bin/env bash
# The worst day, rehearsed: serve a network, load it, back it up while it writes,
# erase a text, destroy the folder, restore it elsewhere with a mirror of the log as
# the source of the erasure, verify all of it, and serve on.
#
#     examples/operate/worst-day.sh [NETCTL]
#
# It needs nothing but Go, or a netctl that is built, and leaves nothing behind.
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
(cd "$top" && go run ./examples/operate/agekey "$work/backup.key" > "$work/backup.pub")

# serve FOLDER starts a server on free ports and waits until it answers.
serve() {
  "$netctl" serve --data "$1" --addr 127.0.0.1:0 --intent-addr 127.0.0.1:0 --rate 100000 --spawn-rate 100000 --log-file "$work/log" --quiet &
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

step "serve and load"
serve "$work/net"
for i in $(seq 20); do on "$work/net" agent spawn "before-$i" >/dev/null; done
on "$work/net" agent role before-1 correspondent --reason "a private reason" >/dev/null
entry=$(on "$work/net" ledger ls --kind agent.roles -o json --jq '.[0].seq')

step "back up, beside a writer"
(for i in $(seq 20); do on "$work/net" agent spawn "beside-$i" >/dev/null; done) &
writer=$!
mkdir "$work/backups"
on "$work/net" backup --to "$work/backups" --recipient "$work/backup.pub"
wait "$writer"

step "erase a text, mirror the log, and destroy the folder"
on "$work/net" ledger erase-private "$entry" --reason "asked to" >/dev/null
on "$work/net" agent spawn after >/dev/null
sleep 1 # the checkpoint follows within half a second
on "$work/net" ledger mirror "$work/mirror"
kill -9 "$server"; wait "$server" 2>/dev/null || true; server=
rm -rf "$work/net"

step "a drill, in full"
"$netctl" drill --data "$work/trial" --identity "$work/backup.key" "$work"/backups/*.netctl.tar

step "restore: stage, verify, finish"
"$netctl" restore stage --data "$work/new" --identity "$work/backup.key" "$work"/backups/*.netctl.tar
"$netctl" restore verify --data "$work/new" --erasures "$work/mirror"
"$netctl" restore finish --data "$work/new" --erasures "$work/mirror"

step "the erased text stays erased, and the network serves on"
serve "$work/new"
on "$work/new" agent spawn restored >/dev/null
on "$work/new" ledger ls --kind journal.restored
on "$work/new" ledger ls --kind private.erased -o json --jq '.[0].fact.entry // .[0].seq'
on "$work/new" ledger verify --from "$work/new"
kill "$server"; wait "$server" || true; server=

step "done"
