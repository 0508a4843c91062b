package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit/export"
	"github.com/agentnet/netctl/netkit/plural"
)

func ledgerExport(a *app) *cobra.Command {
	var form export.Form
	var file string
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
		},
		run: func(c *call) error { return c.export(form, file) }})
}

// export writes to standard output or to a file, which appears when it is
// whole.
func (c *call) export(form export.Form, file string) error {
	entries := c.net.AllEntries(c.ctx, 0)
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
