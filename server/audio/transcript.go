package audio

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"unicode/utf8"
)

// MaxTextBytes is the limit of a transcript.
const MaxTextBytes = 1 << 20

// probeText distinguishes WebVTT from plain text, and refuses all else.
func probeText(f *os.File, size int64) (Info, error) {
	if size > MaxTextBytes {
		return Info{}, fmt.Errorf("%w: a transcript has at most %d bytes", ErrTooLarge, MaxTextBytes)
	}
	text, err := io.ReadAll(io.NewSectionReader(f, 0, size))
	if err != nil {
		return Info{}, fmt.Errorf("audio: read: %w", err)
	}
	if len(bytes.TrimSpace(text)) == 0 || !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
		return Info{}, fmt.Errorf("%w: a transcript is WebVTT or plain text in UTF-8, and not empty", ErrUnsupported)
	}
	if isVTT(text) {
		return Info{Type: TypeVTT}, nil
	}
	return Info{Type: TypePlain}, nil
}

// isVTT follows the WebVTT standard §4.1: the word, then a space, tab, line end
// or nothing.
func isVTT(text []byte) bool {
	rest, ok := bytes.CutPrefix(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), []byte("WEBVTT"))
	return ok && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0)
}
