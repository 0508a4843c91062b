// Command train makes the word table and the weights of the scrubber from the
// classes, lists and labelled lines beside it. Run it by go generate in netkit/btdt;
// the same input gives the same bytes on every machine.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	words := flag.Bool("words", false, "make the word table alone; the weights need it built in")
	passes := flag.Int("passes", 7, "how often the samples are gone through")
	out := flag.String("out", "..", "folder that holds lex and tag")
	flag.Parse()
	run := makeWeights
	if *words {
		run = makeWords
	}
	if err := run(*out, *passes); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

const seed = 20261122

// makeWords writes the word table.
func makeWords(out string, _ int) error {
	lines, err := readLines("data")
	if err != nil {
		return err
	}
	table, err := buildWords("classes", "lists", lines)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "train: a word table of %d bytes\n", len(table))
	return os.WriteFile(filepath.Join(out, "lex", "words.bin"), table, 0o644)
}

// makeWeights writes the weights of the tagger.
func makeWeights(out string, passes int) error {
	samples, err := allSamples()
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "train: %d samples\n", len(samples))
	weights := Train(samples, passes, seed)
	return os.WriteFile(filepath.Join(out, "tag", "weights.bin"), weights, 0o644)
}

// allSamples reads and varies every labelled line.
func allSamples() ([]Sample, error) {
	lines, err := readLines("data")
	if err != nil {
		return nil, err
	}
	sets, err := readSets(filepath.Join("data", "sets"))
	if err != nil {
		return nil, err
	}
	return vary(append(lines, sets...), "lists")
}
