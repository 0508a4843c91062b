// Command train makes the word table and the weights of the scrubber from the
// classes, lists and labelled lines beside it. Run it by go generate in netkit/btdt;
// the same input gives the same bytes on every machine.
package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	words := flag.Bool("words", false, "make the word table alone; the weights need it built in")
	packages := flag.String("lists", "", "make the lists of ordinary words from the Debian packages unpacked in this `folder` (see lists.sh)")
	passes := flag.Int("passes", 7, "how often the samples are gone through")
	out := flag.String("out", "..", "folder that holds lex and tag")
	ablation := flag.Bool("ablation", false, "measure what each row of the rules is worth on the development sets, into ablation.tsv")
	sure := flag.Bool("sure", false, "measure on the development sets from which confidence a finding is sure, into sure.tsv of detect")
	flag.Parse()
	run := makeWeights
	if *ablation {
		run = func(string, int) error { return ablate("ablation.tsv") }
	}
	if *sure {
		run = func(out string, _ int) error { return calibrate(filepath.Join(out, "detect", "sure.tsv")) }
	}
	if *packages != "" {
		run = func(string, int) error { return makeLists(*packages) }
	}
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
	packed, err := pack(weights)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "tag", "weights.bin.gz"), packed, 0o644)
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

// pack compresses weights. No time and no name stand in it, so that the same
// weights make the same bytes.
func pack(weights []byte) ([]byte, error) {
	var packed bytes.Buffer
	out, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err == nil {
		_, err = out.Write(weights)
	}
	if err != nil {
		return nil, err
	}
	err = out.Close()
	return packed.Bytes(), err
}
