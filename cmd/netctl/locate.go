package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// places tells where the texts of a JSON file stand: path to the byte at which
// the text's literal begins.
type places struct {
	data []byte
	at   map[string]int
}

// locate finds the texts of an object whose fields hold texts and lists of
// texts, which is what a playbook is. The file was parsed before.
func locate(data []byte) places {
	p := places{data, map[string]int{}}
	d := json.NewDecoder(bytes.NewReader(data))
	if _, err := d.Token(); err != nil {
		return p
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return p
		}
		begin := p.next(d)
		if data[begin] != '[' {
			p.at[fmt.Sprint(key)] = begin
			p.at[fmt.Sprintf("%v[0]", key)] = begin // one text counts as a list of one
			p.skip(d)
			continue
		}
		p.list(d, fmt.Sprint(key))
	}
	return p
}

func (p *places) list(d *json.Decoder, key string) {
	if _, err := d.Token(); err != nil {
		return
	}
	for i := 0; d.More(); i++ {
		p.at[fmt.Sprintf("%s[%d]", key, i)] = p.next(d)
		p.skip(d)
	}
	_, _ = d.Token() // the end of the list
}

func (p *places) skip(d *json.Decoder) {
	var raw json.RawMessage
	_ = d.Decode(&raw) // the file is known to be sound
}

// next is the byte at which the next value begins.
func (p *places) next(d *json.Decoder) int {
	i := int(d.InputOffset())
	for i < len(p.data)-1 && bytes.IndexByte([]byte(" \t\r\n,:"), p.data[i]) >= 0 {
		i++
	}
	return i
}

// of returns line and column, from 1, of a code point of the text at a path. A
// text with escapes is longer in the file than it is.
func (p *places) of(path string, point int) (line, column int) {
	i, ok := p.at[path]
	if !ok {
		return 1, 1
	}
	i++ // the quotation mark
	for ; point > 0 && i < len(p.data) && p.data[i] != '"'; point-- {
		i += span(p.data[i:])
	}
	before := p.data[:min(i, len(p.data))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1
}

// span is how many bytes of a JSON text make its first code point.
func span(b []byte) int {
	switch {
	case b[0] != '\\':
		_, n := utf8.DecodeRune(b)
		return n
	case len(b) > 1 && b[1] != 'u':
		return 2
	case len(b) >= 12 && (b[2]|0x20) == 'd' && bytes.IndexByte([]byte("89abAB"), b[3]) >= 0:
		return 12 // a surrogate pair
	}
	return min(6, len(b))
}
