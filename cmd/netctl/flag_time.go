package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/timespan"
)

// span is a flag for a span of time between two bounds. A bound of 0 does not apply.
type span struct {
	p           *time.Duration
	least, most time.Duration
}

// Set implements pflag.Value.
func (v span) Set(s string) error {
	d, err := timespan.Parse(s, v.most)
	if err == nil && d < v.least {
		err = errors.New("must be a span of at least " + timespan.Format(v.least))
	}
	if err == nil {
		*v.p = d
	}
	return err
}

func (v span) String() string {
	if v.p == nil || *v.p == 0 {
		return ""
	}
	return timespan.Format(*v.p)
}

// Type implements pflag.Value.
func (v span) Type() string { return "span" }

// moment is a flag for a time: RFC 3339, or a span from now such as 30d.
type moment struct{ p *netkit.Millis }

// Set implements pflag.Value.
func (m moment) Set(s string) error {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		*m.p = netkit.At(t)
		return nil
	}
	d, err := timespan.Parse(s, 0)
	if err != nil {
		return fmt.Errorf("must be a time such as 2026-03-01T12:00:00Z, or a span from now: it %w", err)
	}
	*m.p = netkit.At(time.Now().Add(d))
	return nil
}

func (m moment) String() string { return "" }

// Type implements pflag.Value.
func (m moment) Type() string { return "time" }

// past is a flag for a time that is over: RFC 3339, or a date, which means its
// last moment.
type past struct{ p **netkit.Millis }

// Set implements pflag.Value.
func (p past) Set(s string) error {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		day, err := time.Parse(time.DateOnly, s)
		if err != nil {
			return errors.New("must be a time such as 2026-03-01T12:00:00Z, or a date such as 2026-03-01")
		}
		t = day.Add(24*time.Hour - time.Millisecond)
	}
	at := netkit.At(t)
	*p.p = &at
	return nil
}

func (p past) String() string { return "" }

// Type implements pflag.Value.
func (p past) Type() string { return "time" }

// date is a flag for a UTC date.
type date struct{ p **netkit.Day }

// Set implements pflag.Value.
func (d date) Set(s string) error {
	var v netkit.Day
	if err := v.UnmarshalText([]byte(s)); err != nil {
		return errors.New("must be a date such as 2026-02-20")
	}
	*d.p = &v
	return nil
}

func (d date) String() string { return "" }

// Type implements pflag.Value.
func (d date) Type() string { return "date" }
