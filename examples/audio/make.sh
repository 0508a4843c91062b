#!/bin/sh
# Regenerates the recordings and transcripts from the texts beside this script.
# Needs espeak-ng, lame, opusenc (opus-tools) and ffmpeg; only their output is
# kept here. A line of text is a sentence, spoken on its own, so that its length
# gives the borders of its cue.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# stamp SAMPLES prints a WebVTT time; espeak-ng speaks at 22,050 samples/s.
stamp() {
	awk -v n="$1" 'BEGIN { ms = int(n * 1000 / 22050 + 0.5)
		printf "%02d:%02d:%02d.%03d", ms / 3600000, ms / 60000 % 60, ms / 1000 % 60, ms % 1000 }'
}

# speak NAME leaves $work/NAME.wav and NAME.vtt.
speak() {
	printf 'WEBVTT\n' >"$1.vtt"
	: >"$work/list"
	at=0 line=0
	while IFS= read -r sentence; do
		line=$((line + 1))
		espeak-ng -v en-gb -s 175 -w "$work/$1-$line.wav" "$sentence"
		# 44 bytes of header, then mono samples of two bytes each.
		samples=$((($(wc -c <"$work/$1-$line.wav") - 44) / 2))
		printf '\n%s --> %s\n%s\n' "$(stamp $at)" "$(stamp $((at + samples)))" "$sentence" >>"$1.vtt"
		at=$((at + samples))
		printf "file '%s'\n" "$work/$1-$line.wav" >>"$work/list"
	done <"$1.txt"
	ffmpeg -v error -y -f concat -safe 0 -i "$work/list" -c copy "$work/$1.wav"
}

for name in p0-grid-failure p1-silicon-supply p1-health-shortage; do
	speak $name
	lame --quiet -m m -b 24 "$work/$name.wav" $name.mp3
done
speak correction-silicon
lame --quiet -m m --abr 24 "$work/correction-silicon.wav" correction-silicon.mp3
for name in p2-audit-policy p2-legal-deposits p2-finance-fees; do
	speak $name
	opusenc --quiet --serial 1 --bitrate 16 "$work/$name.wav" $name.ogg
done
speak p0-grid-resolved
ffmpeg -v error -y -i "$work/p0-grid-resolved.wav" -ar 8000 -fflags +bitexact -flags:a +bitexact p0-grid-resolved.wav
