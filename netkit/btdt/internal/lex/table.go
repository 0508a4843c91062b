package lex

import (
	_ "embed"
	"encoding/binary"
	"fmt"
)

// Flags tell what a word or phrase commonly is; a word may be several things.
type Flags uint32

// What a word can be. Word and Foreign are ordinary words in lower case.
const (
	Given Flags = 1 << iota
	Surname
	Word
	Foreign
	Place
	Org     // the name of an organisation
	OrgWord // bank, hospital, GmbH
	Law     // the name of a law or of a case
	LawWord // act, code, directive
	Role    // adjuster, Sachbearbeiter, ombudsman
	Month
	Ill      // conditions, symptoms
	Care     // medicines and procedures
	Street   // street, rue, platz
	Title    // Mr, Frau, Dr
	Kin      // wife, tenant, claimant: a person stands beside it
	Keep     // words and phrases that are never a name
	Clinical // ends as words of medicine do
	Start    // a longer phrase starts with this word
	Seen     // an organisation, law or place known by its whole name; the tagger does not look at it
	Sick     // medical by the labelled lines; the tagger does not look at it either
	Part     // parts of the body
	Act      // what is done to a body or wrong with it: dialysis, MRI, biopsy
	Hurt     // the same in words that mean other things too: surgery, tear, removal
	Mark     // how ill: chronic, left, stage III
	Lab      // what a laboratory measures
)

// Medicine are the flags of a word or phrase of medicine.
const Medicine = Ill | Care | Sick | Part | Act | Hurt | Mark | Lab

//go:embed lexicon.bin
var lexicon string

const slot = 8 // bytes: 32 bits of the key, 32 of flags

// Of looks a key up. The table answers wrongly for about one unknown word in
// four thousand million.
func Of(key uint64) Flags {
	slots := uint64(len(lexicon) / slot)
	if slots == 0 {
		return 0
	}
	print := uint32(key>>32) | 1
	for i := key % slots; ; i = (i + 1) % slots {
		at := lexicon[i*slot : i*slot+slot]
		have := uint32(at[0]) | uint32(at[1])<<8 | uint32(at[2])<<16 | uint32(at[3])<<24
		if have == 0 {
			return 0
		}
		if have == print {
			return Flags(uint32(at[4]) | uint32(at[5])<<8 | uint32(at[6])<<16 | uint32(at[7])<<24)
		}
	}
}

// Build lays out a table of words; its bytes depend on the words alone.
func Build(words map[uint64]Flags, keys []uint64) ([]byte, error) {
	slots := uint64(len(keys)*5/4) | 1
	table := make([]byte, slots*slot)
	for _, key := range keys {
		print, i := uint32(key>>32)|1, key%slots
		for {
			have := binary.LittleEndian.Uint32(table[i*slot:])
			if have == print {
				return nil, fmt.Errorf("lex: two words share the key %x", key)
			}
			if have == 0 {
				break
			}
			i = (i + 1) % slots
		}
		binary.LittleEndian.PutUint32(table[i*slot:], print)
		binary.LittleEndian.PutUint32(table[i*slot+4:], uint32(words[key]))
	}
	return table, nil
}
