#!/usr/bin/env bash
# Compares a network on PostgreSQL with one on SQLite and with pgbench, on a server of
# its own that is made of Debian's programs (package postgresql) and removed at the end.
#
#     examples/operate/postgres-bench.sh [flags of netctl bench]
#
# It takes about six minutes, of which pgbench has most. Root runs the server as the
# user postgres, since PostgreSQL refuses root.
set -euo pipefail
netctl=$(command -v netctl) || { echo "postgres-bench: put netctl into the PATH first" >&2; exit 1; }
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
[ -n "$bin" ] || { echo "postgres-bench: PostgreSQL is not installed: apt-get install postgresql" >&2; exit 1; }
dir=$(mktemp -d "${TMPDIR:-/tmp}/pgb-XXXXXX")
as=()
if [ "$(id -u)" = 0 ]; then
  chown postgres "$dir"
  as=(runuser -u postgres --)
fi
cd "$dir" # which the user of the server may enter
server() { "${as[@]}" "$bin/pg_ctl" --pgdata "$dir/data" --log "$dir/log" --options "-k $dir -c listen_addresses= -c shared_buffers=256MB -c max_wal_size=4GB" --wait "$@" >/dev/null; }
trap 'server stop --mode immediate || true; rm -rf "$dir"' EXIT
"${as[@]}" "$bin/initdb" --pgdata "$dir/data" --username net --auth trust --encoding UTF8 --locale C --data-checksums >/dev/null
server start
at="host=$dir&user=net"
"$bin/psql" --quiet "postgres:///postgres?$at" --command "CREATE DATABASE net" --command "CREATE DATABASE tpcb"
"$bin/pgbench" --initialize --quiet --scale 50 "postgres:///tpcb?$at"
"$netctl" node database "postgres:///net?$at"
PATH="$bin:$PATH" "$netctl" bench --journal "postgres:///net?$at" --tpcb "postgres:///tpcb?$at" --data "$dir/bench" "$@"
