package lex

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
)

// Flags tell what a word or phrase commonly is; a word may be several things.
type Flags uint64

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
	Noun     // German, which writes it with a capital
	Say      // what people do beside their name: said, promised, unterschrieb
)

// Ordinary words by language. Split makes Foreign of those of the language that
// a text is in; the tagger does not look at them.
const (
	German Flags = 1 << (32 + iota)
	French
	Spanish
	Portuguese
	Italian
	Dutch
	Polish

	Languages = German | French | Spanish | Portuguese | Italian | Dutch | Polish
)

// Medicine are the flags of a word or phrase of medicine.
const Medicine = Ill | Care | Sick | Part | Act | Hurt | Mark | Lab

//go:embed lexicon.bin
var lexicon string

// A slot holds 32 bits of a key and the number of its class; the classes, sets
// of flags that occur, stand before the slots.
const (
	slot   = 6
	header = 4 // bytes: how many classes follow
)

// classes are the sets of flags of the table, read once.
var classes = sync.OnceValue(func() []Flags {
	if len(lexicon) < header {
		return nil
	}
	n := int(word32(lexicon))
	if rest := len(lexicon) - header - 8*n; rest <= 0 || rest%slot != 0 {
		return nil // another layout, about to be made again
	}
	list := make([]Flags, n)
	for i := range list {
		list[i] = Flags(word32(lexicon[header+8*i:])) | Flags(word32(lexicon[header+8*i+4:]))<<32
	}
	return list
})

func word32(s string) uint32 {
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// Of looks a key up. The table answers wrongly for about one unknown word in a
// thousand million.
func Of(key uint64) Flags {
	list := classes()
	if len(list) == 0 {
		return 0
	}
	table := lexicon[header+8*len(list):]
	slots := uint64(len(table) / slot)
	print := uint32(key>>32) | 1
	for i := key % slots; ; i++ {
		if i == slots {
			i = 0
		}
		at := table[i*slot : i*slot+slot]
		switch word32(at) {
		case 0:
			return 0
		case print:
			return list[uint(at[4])|uint(at[5])<<8]
		}
	}
}

// Build lays out a table of words; its bytes depend on the words and their order
// alone.
func Build(words map[uint64]Flags, keys []uint64) ([]byte, error) {
	number := map[Flags]int{}
	var head []byte
	for _, key := range keys {
		if _, known := number[words[key]]; !known {
			number[words[key]] = len(number)
			head = binary.LittleEndian.AppendUint64(head, uint64(words[key]))
		}
	}
	if len(number) > 1<<16 {
		return nil, fmt.Errorf("lex: %d sets of flags, want at most %d", len(number), 1<<16)
	}
	slots := uint64(len(keys)*5/4) | 1
	table := make([]byte, slots*slot)
	for _, key := range keys {
		if err := place(table, key, number[words[key]]); err != nil {
			return nil, err
		}
	}
	return slices.Concat(binary.LittleEndian.AppendUint32(nil, uint32(len(number))), head, table), nil
}

// place puts a key into the first free slot from where it belongs.
func place(table []byte, key uint64, class int) error {
	slots := uint64(len(table) / slot)
	print := uint32(key>>32) | 1
	for i := key % slots; ; i = (i + 1) % slots {
		at := table[i*slot : i*slot+slot]
		switch binary.LittleEndian.Uint32(at) {
		case print:
			return fmt.Errorf("lex: two words share the key %x", key)
		case 0:
			binary.LittleEndian.PutUint32(at, print)
			binary.LittleEndian.PutUint16(at[4:], uint16(class))
			return nil
		}
	}
}
