package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit/export"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/plural"
	"github.com/agentnet/netctl/netkit/rules"
)

func ledgerExport(a *app) *cobra.Command {
	var form export.Form
	var file string
	var public bool
	return a.verb(verb{use: "export", short: "Write the public journal for other programs",
		long: `Write the public journal for other programs, from the first entry to the last:

  hledger    a journal whose every posting asserts the balance after it;
             hledger check --strict -f FILE proves sums and balances
  beancount  a ledger that ends with every balance; bean-check FILE proves it
  csv        a line a posting, and one for each entry without any
  jsonl      the entries as they are stored, byte for byte
  sqlite     a file to ask questions of in SQL; amounts are whole hundredths,
             the views balances and statement show credits

It goes to standard output, or to a file with --out, which a database needs.
Texts written by agents and other private parts are in none of them.`,
		needs: []string{"format"},
		flags: func(f *pflag.FlagSet) {
			f.Var(one(&form), "format", "hledger, beancount, csv, jsonl or sqlite")
			f.StringVar(&file, "out", "", "file to write, which must not be there yet")
			f.BoolVar(&public, "public", false, "read a data folder that does not hold all private parts, and count them")
		},
		folder: func() bool { return public },
		run: func(c *call) error {
			if public {
				return c.exportFolder(form, file)
			}
			return c.export(form, file, c.net.AllEntries(c.ctx, 0))
		}})
}

// exportFolder exports the journal of a data folder as it is, without a network.
func (c *call) exportFolder(form export.Form, file string) (err error) {
	t, err := c.target()
	if err == nil && t.data == "" {
		err = usage(errors.New("--public is for a data folder; name one with --data"))
	}
	if err != nil {
		return err
	}
	store, err := sqlite.Open(c.ctx, sqlite.Config{Dir: t.data, ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	missing := rules.MissingParts{}
	err = c.export(form, file, func(yield func(json.RawMessage, error) bool) {
		for r, err := range store.Read(c.ctx, 0, math.MaxUint64) {
			var e *rules.Entry
			if err == nil {
				e, err = rules.ReadEntry(r)
			}
			if err == nil {
				missing.Take(e, r.Private == nil)
			}
			if !yield(bytes.Clone(r.Public), err) || err != nil {
				return
			}
		}
	})
	if err == nil && len(missing) > 0 {
		c.talk("%s not held in %s", plural.Count(len(missing), "private part is", "private parts are"), t.data)
	}
	return err
}

// export writes to standard output or to a file, which appears when it is
// whole.
func (c *call) export(form export.Form, file string, entries export.Entries) error {
	if file == "" {
		if form == export.SQLite {
			return usage(errors.New("a database needs a file: name one with --out"))
		}
		_, err := export.Write(c.out, form, entries)
		return err
	}
	n, err := c.exportFile(form, file, entries)
	if err == nil {
		c.talk("wrote %s to %s", plural.Count(n, "entry", "entries"), file)
	}
	return err
}

func (c *call) exportFile(form export.Form, file string, entries export.Entries) (n uint64, err error) {
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return 0, usage(fmt.Errorf("%s is there already: name another file with --out, or remove it", file))
	}
	dir, err := os.MkdirTemp(filepath.Dir(file), ".netctl-export-*")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	part := filepath.Join(dir, "part")
	if form == export.SQLite {
		n, err = export.Database(part, entries)
	} else {
		n, err = writeFile(part, form, entries)
	}
	if err != nil {
		return n, err
	}
	return n, os.Rename(part, file)
}

func writeFile(path string, form export.Form, entries export.Entries) (uint64, error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	n, err := export.Write(f, form, entries)
	return n, errors.Join(err, f.Sync(), f.Close())
}
