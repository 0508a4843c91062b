package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/dataschema"
	"github.com/agentnet/netctl/netkit/export"
	"github.com/agentnet/netctl/netkit/plural"
)

// readNames reads the names of the properties in the schema of a contract.
func (r *results) readNames(c *call, contract uint64) error {
	if form, err := r.chosen(); err != nil || form != "csv" {
		return err
	}
	m, err := c.net.Campaign(c.ctx, contract)
	if err != nil || m.Schema == "" {
		return err
	}
	s, err := dataschema.Parse([]byte(m.Schema))
	if err != nil {
		return err
	}
	r.data = s.Names()
	return nil
}

// chosen is the form in which to write; "" is the table.
func (r *results) chosen() (resultForm, error) {
	form := r.form
	if form == "" && r.file != "" {
		if err := form.UnmarshalText([]byte(strings.TrimPrefix(filepath.Ext(r.file), "."))); err != nil {
			return "", usage(fmt.Errorf("%s: name a file that ends in .ndjson or .csv, or give --format", r.file))
		}
	}
	if form == "" && r.follow {
		form = "ndjson"
	}
	return form, nil
}

// without leaves the signals out where only receipts are asked for.
func (r *results) without(found iter.Seq2[netkit.ExecutionView, error]) iter.Seq2[netkit.ExecutionView, error] {
	return func(yield func(netkit.ExecutionView, error) bool) {
		for x, err := range found {
			if r.bare {
				x.Signal = nil
			}
			if !yield(x, err) {
				return
			}
		}
	}
}

func (c *call) resultFile(form resultForm, r *results, q netkit.ExecutionQuery, found iter.Seq2[netkit.ExecutionView, error]) error {
	f, err := os.OpenFile(r.file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return usage(fmt.Errorf("%s is there already: name another file with --out, or remove it", r.file))
	}
	if err != nil {
		return err
	}
	n, err := c.deliver(f, form, r, q, found)
	if err = errors.Join(err, f.Close()); err == nil {
		c.talk("wrote %s to %s", plural.Count(n, "execution", "executions"), r.file)
	}
	return err
}

// deliver writes the results that are found, and then those that come.
func (c *call) deliver(w io.Writer, form resultForm, r *results, q netkit.ExecutionQuery, found iter.Seq2[netkit.ExecutionView, error]) (n int, err error) {
	write := export.ExecutionsJSON(w)
	if form == "csv" {
		write = export.ExecutionsCSV(w, !r.bare, r.data...)
	}
	var last uint64
	if r.follow { // nothing that comes between the list and the stream is missed
		books, err := c.net.Conservation(c.ctx)
		if err != nil {
			return 0, err
		}
		last = books.AsOf.Seq
	}
	for x, err := range found {
		if err == nil {
			err = write(&x)
		}
		if err != nil {
			return n, err
		}
		if n++; n == 1 {
			last = x.ExecutionID
		}
	}
	if r.follow {
		err = c.followResults(last, q.CampaignID, func(x *netkit.ExecutionView) error { n++; return write(x) })
	}
	return n, err
}

// followResults reads each execution of a contract that comes after an entry.
func (c *call) followResults(after, contract uint64, write func(*netkit.ExecutionView) error) error {
	filter := netkit.EventFilter{Types: []string{netkit.EventExecution}}
	return c.followEvents(after, filter, func(ev netkit.Event) error {
		x, err := c.net.Delivery(c.ctx, ev.ID)
		if err != nil || x.CampaignID != contract {
			return err
		}
		return write(&x)
	})
}
