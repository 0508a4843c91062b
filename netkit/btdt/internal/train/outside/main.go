// Command outside turns texts that other people labelled into playbooks that
// netctl btdt eval reads, one a text, and writes them to standard output:
//
//	go run ./outside synth_dataset_v2.json >presidio.jsonl
//	netctl btdt eval presidio.jsonl
//
// It reads the synthetic sets of Presidio (.json), tokens with their tags, one a line
// (.conll), and plain sentences without labels, one a line (.txt). None of these sets
// is part of this project, and nothing is trained on them.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/agentnet/netctl/netkit/btdt"
	"github.com/agentnet/netctl/netkit/btdt/evaluate"
)

func main() {
	sample := flag.Int("sample", 0, "take so many `texts` at random, from a fixed seed; 0 takes all")
	flag.Parse()
	if err := convert(flag.Args(), *sample, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "outside:", err)
		os.Exit(1)
	}
}

// readers read a file by the ending of its name.
var readers = map[string]func(data []byte) ([]evaluate.Example, error){
	".json": presidio, ".conll": tagged, ".txt": plain,
}

func convert(files []string, sample int, out io.Writer) error {
	var all []evaluate.Example
	for _, file := range files {
		read := readers[filepath.Ext(file)]
		if read == nil {
			return fmt.Errorf("%s is of no known kind: name a .json, .conll or .txt file", file)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		examples, err := read(data)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, examples...)
	}
	if sample > 0 {
		random := rand.New(rand.NewPCG(seed, 3))
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:min(sample, len(all))]
	}
	lines := json.NewEncoder(out)
	for i := range all {
		all[i].ID = fmt.Sprint(i + 1)
		if err := lines.Encode(all[i]); err != nil {
			return err
		}
	}
	return nil
}

const seed = 20261122

// example is a playbook with a text as its only step.
func example(text string) evaluate.Example {
	book := btdt.Playbook{Title: "A", Category: "other", SubCategory: "x", Jurisdiction: "US", Status: btdt.StatusResolved,
		Outcome: "Paid.", Steps: []string{text}, TimeTakenDays: 1}
	return evaluate.Example{Playbook: book.Canonical()}
}

// add marks a part of the text of an example, in code points.
func add(e *evaluate.Example, start, end int, kind string) {
	m := evaluate.Mark{Path: "steps[0]", Start: start, End: end, Type: kind}
	if kind == stays {
		m.Type = ""
		e.Keep = append(e.Keep, m)
		return
	}
	e.Gold = append(e.Gold, m)
}

const stays = "KEEP"

// kinds says what the labels of others are here. A label that is not listed may go or
// stay.
var kinds = map[string]string{
	"PERSON": btdt.TypeName, "EMAIL_ADDRESS": btdt.TypeEmail, "PHONE_NUMBER": btdt.TypePhone, "STREET_ADDRESS": btdt.TypeAddress,
	"CREDIT_CARD": btdt.TypeFinancial, "IBAN_CODE": btdt.TypeFinancial, "US_SSN": btdt.TypeNationalID, "US_DRIVER_LICENSE": btdt.TypeNationalID,
	"IP_ADDRESS": btdt.TypeNetwork, "AGE": btdt.TypeDOB, "ORGANIZATION": stays, "GPE": stays,
	"PER": btdt.TypeName, "person": btdt.TypeName, "ORG": stays, "LOC": stays, "corporation": stays, "location": stays, "group": stays,
}

func presidio(data []byte) (all []evaluate.Example, err error) {
	var texts []struct {
		Text  string `json:"full_text"`
		Spans []struct {
			Type  string `json:"entity_type"`
			Start int    `json:"start_position"`
			End   int    `json:"end_position"`
		}
	}
	if err := json.Unmarshal(data, &texts); err != nil {
		return nil, err
	}
	for _, t := range texts {
		e := example(t.Text)
		for _, s := range t.Spans {
			if kind := kinds[s.Type]; kind != "" {
				add(&e, s.Start, s.End, kind)
			}
		}
		all = append(all, e)
	}
	return all, nil
}

// tagged reads a word and its tag a line, sentences with an empty line between. Words
// are joined by spaces.
func tagged(data []byte) (all []evaluate.Example, err error) {
	var words, tags []string
	flush := func() {
		if len(words) > 0 {
			all = append(all, sentence(words, tags))
		}
		words, tags = nil, nil
	}
	for row := range strings.Lines(string(data)) {
		cells := strings.Fields(row)
		switch {
		case len(cells) == 0 || cells[0] == "-DOCSTART-":
			flush()
		case len(cells) == 1:
			return nil, fmt.Errorf("want a word and its tag, got one of them")
		default:
			words, tags = append(words, cells[0]), append(tags, cells[len(cells)-1])
		}
	}
	flush()
	return all, nil
}

// sentence marks each run of words with the same tag; a tag with B starts a new one.
func sentence(words, tags []string) evaluate.Example {
	e := example(strings.Join(words, " "))
	at := 0
	for i := 0; i < len(words); {
		start, end := at, at+utf8.RuneCountInString(words[i])
		_, label, _ := strings.Cut(tags[i], "-")
		for i++; i < len(words) && label != "" && tags[i] == "I-"+label; i++ {
			end += 1 + utf8.RuneCountInString(words[i])
		}
		if kind := kinds[label]; kind != "" {
			add(&e, start, end, kind)
		}
		at = end + 1
	}
	return e
}

// plain reads sentences that hold nothing to strip.
func plain(data []byte) (all []evaluate.Example, err error) {
	for row := range strings.Lines(string(data)) {
		if row = strings.TrimSpace(row); row != "" {
			all = append(all, example(row))
		}
	}
	return all, nil
}
