#!/bin/sh
# Prints the German sentences of a Debian 12 package at a named version, one a line:
# ./german.sh help takes the help of the GNOME desktop, ./german.sh pages the manual
# pages, without the sections that tell of authors. Needs apt-get, dpkg-deb, groff,
# awk and sed. Nothing of it is kept in this project:
#
#   ./german.sh help >help.txt && go run . -sample 500 help.txt >help.jsonl
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# unpack takes a package and its version.
unpack() {
  apt-get download "$1=$2" >&2
  dpkg-deb -x "$1"_*.deb unpacked
}

# sentences splits paragraphs, one a line, and drops what is no whole sentence.
sentences() {
  LC_ALL=C sed -e 's/[[:space:]][[:space:]]*/ /g' -e 's/^ //' -e 's/\([a-z]\.\) \([A-Z]\)/\1\
\2/g' | LC_ALL=C grep -E '^[A-Z].* .* .* .* .*[a-z][.] ?$' | sed 's/ $//' | LC_ALL=C sort -u
}

case ${1:-} in
help)
  unpack gnome-user-docs 43.0-2
  find unpacked/usr/share/help/de -name '*.page' ! -name 'legal*' | LC_ALL=C sort | while read -r page; do
    tr '\n' ' ' <"$page" | sed -e 's/<p>/\n\f/g' -e 's/<\/p>/\n/g' | grep '^' | sed -e 's/<[^>]*>//g' -e 's/&gt;/>/g' -e 's/&lt;/</g' -e 's/&amp;/\&/g'
    echo
  done | awk '/^\f/ { print substr($0, 2) }' | sentences
  ;;
pages)
  unpack manpages-de 4.18.1-1
  find unpacked/usr/share/man/de -name '*.gz' | LC_ALL=C sort | while read -r page; do
    zcat "$page" | groff -mandoc -Tutf8 -K utf8 -P-cbou -rLL=100000n -rHY=0 2>/dev/null || :
  done | awk '
    /^[^ ]/ { people = /AUTOR|ÜBERSETZUNG|COPYRIGHT|FEHLER|KOLOPHON|GESCHICHTE|SIEHE/ }
    !people && /^ /' | sentences
  ;;
*)
  echo "usage: german.sh help|pages" >&2
  exit 2
  ;;
esac
