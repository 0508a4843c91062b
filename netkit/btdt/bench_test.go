package btdt

import (
	"path/filepath"
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
