// Command train makes the word table and the weights of the scrubber from the
// lists and labelled lines beside it. Run it by go generate in netkit/btdt; the
// same input gives the same bytes on every machine.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

func main() {
	dir := flag.String("dir", "internal/train", "folder that holds lists and data")
	out := flag.String("out", "internal", "folder that holds lex and tag")
	without := flag.String("without", "", "languages to leave out, divided by commas, to test on them")
	gold := flag.String("gold", "", "write the lines of these languages as labelled playbooks to stdout and do nothing else")
	whole := flag.Bool("whole", false, "with -gold, the lines up to an empty one are one playbook")
	flag.IntVar(&fold, "fold", -1, "leave out every fifth line, starting with this one, to test on them")
	lexOnly := flag.Bool("lexicon", false, "make the word table alone; the weights need it built in")
	flag.Parse()
	if *gold != "" {
		if err := writeGold(os.Stdout, filepath.Join(*dir, "data"), *gold, *whole); err != nil {
			fmt.Fprintln(os.Stderr, "train:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(*dir, *out, *without, *lexOnly); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

// fold is the part of the lines that is left out, -1 for none.
var fold = -1

func run(dir, out, without string, lexOnly bool) error {
	lines, err := readLines(filepath.Join(dir, "data"), strings.Split(without, ","))
	if err != nil {
		return err
	}
	if lexOnly {
		table, err := buildLexicon(filepath.Join(dir, "lists"), lines)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(out, "lex", "lexicon.bin"), table, 0o644)
	}
	samples := make([]tag.Sample, 0, len(lines)*(variants+1))
	all, err := vary(lines, filepath.Join(dir, "lists"))
	if err != nil {
		return err
	}
	for _, l := range all {
		samples = append(samples, l.sample())
	}
	fmt.Fprintf(os.Stderr, "train: %d lines, %d samples\n", len(lines), len(samples))
	return os.WriteFile(filepath.Join(out, "tag", "weights.bin"), tag.Train(samples, passes, seed), 0o644)
}

const (
	passes = 10
	seed   = 20260220
)
