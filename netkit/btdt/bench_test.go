package btdt

import (
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkScrub is the speed on the examples as they are: MB/s of files, and
// the time of one playbook.
func BenchmarkScrub(b *testing.B) {
	names, err := filepath.Glob("../../examples/playbooks/*.json")
	if err != nil || len(names) == 0 {
		b.Fatalf("got no examples (%v)", err)
	}
	var books []Playbook
	size := int64(0)
	for _, name := range append(names, "../../examples/playbooks/bad/contact-data.json") {
		p, err := Parse(read(b, name))
		if err != nil {
			b.Fatal(err)
		}
		books = append(books, p)
		size += int64(len(p.Canonical()))
	}
	b.SetBytes(size / int64(len(books)))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		Scrub(books[i%len(books)])
	}
}

// BenchmarkAilments is the speed on what costs most a byte: one long sentence of
// ailments and days, each of which may be a day of treatment for all of them.
func BenchmarkAilments(b *testing.B) {
	text := strings.Repeat("asthma and diabetes since 3 March 2021, ", 2500)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, found := Scrub(Playbook{Steps: []string{text}}); len(found) == 0 {
			b.Fatal("got nothing found")
		}
	}
}

// BenchmarkChains is the speed on texts without an end: chains of words, groups and
// names, each part of which could look at all of the chain again.
func BenchmarkChains(b *testing.B) {
	for _, link := range []string{"Jean-", "O'", "X 1 ", "AA 1 2 3 4 5 6 7 8 9 0 ", "Martin and Gibson or "} {
		b.Run(strings.TrimSpace(link), func(b *testing.B) {
			text := strings.Repeat(link, 100_000/len(link))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Scrub(Playbook{Steps: []string{text}})
			}
		})
	}
}
