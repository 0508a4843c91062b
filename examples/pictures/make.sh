#!/usr/bin/env bash
# Makes pictures from a running demo: the README's animated SVG of the terminal
# UI, and every page at 1280 and 360 pixels, light and dark, in a folder that is
# not committed (PAGES names another one). Needs Go, tmux, asciinema, npx with
# svg-term-cli, and chromium (CHROMIUM names another one). Without tmux or
# asciinema it leaves the SVG as it is.
set -euo pipefail
cd "$(dirname "$0")"
here=$PWD
tmp=$(mktemp -d)
end() {
  tmux kill-session -t netctl-pictures 2>/dev/null || true
  [ -z "${demo:-}" ] || kill "$demo" 2>/dev/null || true
  rm -rf "$tmp"
}
trap end EXIT

(cd ../.. && go build -o "$tmp/netctl" ./cmd/netctl)
"$tmp/netctl" demo >"$tmp/demo.log" &
demo=$!
for _ in $(seq 100); do
  grep -q "operator's token" "$tmp/demo.log" && break
  sleep 0.2
done
url=$(grep -o 'http://[0-9.:]*' "$tmp/demo.log" | head -1)
token=$(grep -o "operator's token: nk_[0-9a-f]*" "$tmp/demo.log" | cut -d' ' -f3)

terminal() { # tmux runs the program, asciinema records it, keys are sent
  export XDG_CONFIG_HOME="$tmp/config" NETCTL_TOKEN="$token"
  tmux new-session -d -s netctl-pictures -x 100 -y 28 \
    "asciinema rec -q -c '$tmp/netctl tui --url $url' $tmp/tui.cast"
  keys() { for k in "$@"; do tmux send-keys -t netctl-pictures "$k"; sleep 1.2; done; }
  sleep 3
  keys 2 Down Down Enter Escape 3 Down 4 6 7 '?' Escape q
  sleep 1
  npx --yes svg-term-cli --in "$tmp/tui.cast" --out "$here/tui.svg" --window --no-cursor
}
if command -v tmux >/dev/null && command -v asciinema >/dev/null; then terminal; fi

shot() { # for the README
  "${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --user-data-dir="$tmp/chromium" --hide-scrollbars \
    --window-size=1280,900 --screenshot="$here/$1.png" "$url/$2" >/dev/null 2>&1
}
shot home ""
shot market market
shot agent agent/ada

agent=$(grep -o 'NETCTL_TOKEN=nk_[0-9a-f]*' "$tmp/demo.log" | head -1 | cut -d= -f2)
pages="${PAGES:-$here/pages}"
(cd ../.. && go run ./examples/pictures -url "$url" -agent "$agent" -operator "$token" -chromium "${CHROMIUM:-chromium}" -dir "$pages")
echo "made: $(ls "$here" | tr '\n' ' ')and $(ls "$pages" | wc -l) pictures in $pages"
