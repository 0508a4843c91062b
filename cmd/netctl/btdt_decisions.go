package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit/btdt"
)

// decisionsEnd replaces .json in the name of the file that holds what the author of
// a playbook decided.
const decisionsEnd = ".decisions.json"

// decisions are what the author of a playbook decided. They lie beside the playbook
// and are never sent.
type decisions struct {
	Keep []string    `json:"keep,omitempty"` // texts that stay
	Mark []btdt.Mark `json:"mark,omitempty"` // texts that go
	Read []string    `json:"read,omitempty"` // languages that the author has read, since the scrubber cannot
}

// decisionsName is the file of the decisions on a playbook; a stripped playbook
// shares that of its original.
func decisionsName(name string) string {
	if plain, ok := strings.CutSuffix(name, scrubbedEnd); ok {
		return plain + decisionsEnd
	}
	return strings.TrimSuffix(name, ".json") + decisionsEnd
}

// readDecisions reads what was decided on a playbook; no file means nothing.
func readDecisions(name string) (d decisions, err error) {
	if name == "-" {
		return d, nil
	}
	path := decisionsName(name)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return d, nil
	}
	if err != nil {
		return d, err
	}
	in := json.NewDecoder(bytes.NewReader(data))
	in.DisallowUnknownFields()
	err = in.Decode(&d)
	if _, end := in.Token(); err == nil && !errors.Is(end, io.EOF) {
		err = errors.New("something follows the object")
	}
	if err != nil {
		return d, fmt.Errorf("%s holds no decisions: %w; correct or remove it", path, err)
	}
	return d, d.check()
}

// write replaces the decisions on a playbook. None remove the file.
func (d *decisions) write(name string) error {
	path := decisionsName(name)
	if len(d.Keep)+len(d.Mark)+len(d.Read) == 0 {
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	doc, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return err
	}
	part := path + ".part"
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := writeNew(part, append(doc, '\n')); err != nil {
		return err
	}
	return os.Rename(part, path)
}

func (d *decisions) check() error {
	for i := range d.Mark {
		m := &d.Mark[i]
		if m.Type == "" {
			m.Type = btdt.TypeName
		}
		if m.Type = strings.ToUpper(m.Type); !slices.Contains(btdt.Types(), m.Type) {
			return usage(fmt.Errorf("a mark has an unknown type; use one of %s", strings.Join(btdt.Types(), ", ")))
		}
	}
	return nil
}

func (d *decisions) scrubber() *btdt.Scrubber {
	return &btdt.Scrubber{Keep: d.Keep, Mark: d.Mark, Read: d.Read}
}

// keep decides that a text stays.
func (d *decisions) keep(text string) {
	d.forget(text)
	d.Keep = append(d.Keep, text)
}

// mark decides that a text goes, everywhere or from one field.
func (d *decisions) mark(m btdt.Mark) {
	if m.Path == "" {
		d.forget(m.Text)
	}
	if !slices.Contains(d.Mark, m) {
		d.Mark = append(d.Mark, m)
	}
}

// answer notes that the author has read every word of a language.
func (d *decisions) answer(language string) {
	if !slices.ContainsFunc(d.Read, func(s string) bool { return strings.EqualFold(s, language) }) {
		d.Read = append(d.Read, language)
	}
}

// forget removes the decisions on a text.
func (d *decisions) forget(text string) {
	d.Keep = slices.DeleteFunc(d.Keep, func(s string) bool { return strings.EqualFold(s, text) })
	d.Mark = slices.DeleteFunc(d.Mark, func(m btdt.Mark) bool { return strings.EqualFold(m.Text, text) })
}

// deciding holds the flags by which the command line decides and detects.
type deciding struct {
	detecting
	keep, mark, read []string
	unsure           string
}

func (o *deciding) flags(f *pflag.FlagSet) {
	o.detecting.flags(f)
	f.StringArrayVar(&o.keep, "keep", nil, "`TEXT` that stays wherever its words stand, also in names that are found elsewhere; may be repeated")
	f.StringArrayVar(&o.mark, "mark", nil, "`TEXT[=TYPE]` that goes, a name unless it says otherwise; may be repeated")
	f.StringArrayVar(&o.read, "read", nil, "`LANGUAGE` that the scrubber cannot read and of which you have read every word, as check names it; may be repeated")
}

func (o *deciding) unsureFlag(f *pflag.FlagSet) {
	f.StringVar(&o.unsure, "unsure", "", "mask or refuse findings that are not sure, without a question; default: ask on a terminal, else mask")
}

// decide reads the decisions on a playbook and adds those of the command line.
// Changed reports whether there are any.
func (o *deciding) decide(f file, raw *btdt.Playbook) (d decisions, changed bool, err error) {
	if o.unsure != "" && o.unsure != "mask" && o.unsure != "refuse" {
		return d, false, usage(errors.New("--unsure is mask or refuse"))
	}
	if d, err = readDecisions(f.name); err != nil {
		return d, false, err
	}
	for _, text := range o.keep {
		d.keep(text)
	}
	for _, text := range o.mark {
		m := btdt.ParseMark(text)
		d.mark(m)
		if !raw.Holds(m.Text) {
			return d, false, usage(fmt.Errorf("--mark names a text that %s does not hold", f.name))
		}
	}
	for _, text := range o.keep {
		if !raw.Holds(text) {
			return d, false, usage(fmt.Errorf("--keep names a text that %s does not hold", f.name))
		}
	}
	for _, language := range o.read {
		d.answer(language)
	}
	return d, len(o.keep)+len(o.mark)+len(o.read) > 0, nil
}
