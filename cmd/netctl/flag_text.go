package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// maxText limits the length of one text, in bytes.
const maxText = 1 << 20

// textHelp ends the help of a flag that may name a file.
const textHelp = "; @FILE reads a file, - standard input, @@ begins one with @"

// text returns the text that a flag gives: its value, the content of a file, or standard
// input.
func (a *app) text(s string) (string, error) {
	in := a.in
	switch {
	case s == "-":
	case strings.HasPrefix(s, "@@"):
		return s[1:], nil
	case strings.HasPrefix(s, "@"):
		f, err := os.Open(s[1:])
		if err != nil {
			return "", err
		}
		defer f.Close()
		in = f
	default:
		return s, nil
	}
	b, err := io.ReadAll(io.LimitReader(in, maxText+1))
	if err == nil && len(b) > maxText {
		err = fmt.Errorf("a text has at most %d bytes", maxText)
	}
	return strings.TrimSuffix(string(b), "\n"), err
}

// smallFile reads a file that is no longer than a text may be. A device, or a
// recording named by mistake, must not fill the memory.
func smallFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxText+1))
	if err == nil && len(b) > maxText {
		err = fmt.Errorf("%s has more than %d bytes, which is not a file of this kind", path, maxText)
	}
	return b, err
}

// texts reads several of them.
func (a *app) texts(flags ...*string) error {
	for _, p := range flags {
		s, err := a.text(*p)
		if err != nil {
			return err
		}
		*p = s
	}
	return nil
}
