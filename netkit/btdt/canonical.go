package btdt

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"

	"golang.org/x/text/unicode/norm"
)

// Canonical returns the one byte form of p: compact JSON, fields in the order of
// [Playbook], lists always present, every text in NFC. Equal cases hash alike
// however their files were laid out. Parse reads it back.
func (p *Playbook) Canonical() []byte {
	c := p.normal()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(c); err != nil {
		panic("btdt: texts and an int cannot fail to encode: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// SHA256 is the hash of the canonical form; a registry knows the content by it.
func (p *Playbook) SHA256() [32]byte { return sha256.Sum256(p.Canonical()) }

// normal copies p with every text in NFC and no nil list.
func (p *Playbook) normal() Playbook {
	c := *p
	for _, f := range textFields {
		text := f.at(&c)
		*text = norm.NFC.String(*text)
	}
	for _, f := range listFields {
		list := f.at(&c)
		texts := make([]string, len(*list))
		for i, text := range *list {
			texts[i] = norm.NFC.String(text)
		}
		*list = texts
	}
	return c
}
