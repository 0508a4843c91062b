// Package export writes a network's public journal in forms that other
// programs read: hledger and beancount journals, which their own checkers
// prove, CSV, JSON Lines, and an SQLite file to ask questions of.
//
// The journal is read once, from entry 0 on, and what is kept meanwhile are
// the names and balances of accounts. Nothing that agents wrote is in it: texts
// stand in private parts, which are never exported.
package export

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// Entries are the public parts of a journal, from entry 0 on, as they are
// stored.
type Entries = iter.Seq2[json.RawMessage, error]

// entry is one entry as a form gets it: as stored, and read.
type entry struct {
	*rules.Entry
	public json.RawMessage
}

// form writes entries one after the other.
type form interface {
	begin(network string) error
	add(entry) error
	end() error
}

// Form names a form, in small letters.
type Form string

// The forms there are. All but SQLite are text.
const (
	Hledger   Form = "hledger"
	Beancount Form = "beancount"
	CSV       Form = "csv"
	JSONL     Form = "jsonl"
	SQLite    Form = "sqlite"
)

// UnmarshalText reads the name of a form.
func (f *Form) UnmarshalText(b []byte) error {
	switch name := Form(b); name {
	case Hledger, Beancount, CSV, JSONL, SQLite:
		*f = name
		return nil
	}
	return errors.New("must be one of hledger, beancount, csv, jsonl, sqlite")
}

// Write writes entries to w in a form of text, and returns how many there
// were. For SQLite see [Database].
func Write(w io.Writer, name Form, entries Entries) (uint64, error) {
	b := bufio.NewWriterSize(w, 1<<16)
	var f form
	switch name {
	case Hledger:
		f = &hledger{w: b, known: map[netkit.Account]bool{}}
	case Beancount:
		f = &beancount{w: b, held: map[netkit.Account]netkit.Credits{}}
	case CSV:
		f = table{csv.NewWriter(b)}
	case JSONL:
		f = lines{b}
	default:
		return 0, fmt.Errorf("export: %q is not a form of text", name)
	}
	n, err := write(f, entries)
	if err != nil {
		return n, err
	}
	return n, b.Flush()
}

// write feeds a form.
func write(f form, entries Entries) (n uint64, err error) {
	for raw, err := range entries {
		if err != nil {
			return n, err
		}
		e, err := rules.ReadEntry(journal.Record{Seq: n, Public: raw})
		if err != nil {
			return n, err
		}
		if n == 0 {
			if err := f.begin(networkOf(raw)); err != nil {
				return n, err
			}
		}
		if err := f.add(entry{e, raw}); err != nil {
			return n, err
		}
		n++
	}
	if n == 0 {
		return 0, fmt.Errorf("export: the journal is empty")
	}
	return n, f.end()
}

// networkOf reads the network's name, which entry 0 gives.
func networkOf(genesis json.RawMessage) string {
	var head struct {
		Fact struct{ Network string }
	}
	// ReadEntry has read it before; a genesis without a name has none to show.
	_ = json.Unmarshal(genesis, &head)
	return head.Fact.Network
}

// lines is JSON Lines: the public parts byte for byte, so that their leaf
// hashes can be taken from the file.
type lines struct{ w io.Writer }

func (l lines) begin(string) error { return nil }

func (l lines) add(e entry) error {
	_, err := fmt.Fprintf(l.w, "%s\n", e.public)
	return err
}

func (l lines) end() error { return nil }
