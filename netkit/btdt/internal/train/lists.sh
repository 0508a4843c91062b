#!/bin/sh
# Makes the lists of ordinary words again from the Debian packages named below, at
# these versions, of Debian 12. Needs apt-get, dpkg-deb and Go; run it in this folder.
# No dictionary of German or Italian has a licence that suits: words of the manuals of
# LibreOffice stand in for one, and lists that are written here.
set -eu
packages="
wamerican=2020.12.07-2
wbritish=2020.12.07-2
hunspell-fr-classical=1:7.0-1
hunspell-es=1:7.5.0-1
wportuguese=20220621-1
wdutch=1:2.20.19-2
wpolish=20220301-1
libreoffice-help-de=4:7.4.7-1+deb12u14
libreoffice-help-it=4:7.4.7-1+deb12u14
"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$PWD
cd "$work"
# shellcheck disable=SC2086
apt-get download $packages
for deb in *.deb; do dpkg-deb -x "$deb" unpacked; done
cd "$here"
go run . -lists "$work/unpacked"
