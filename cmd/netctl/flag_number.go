package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
)

// id reads an id from the command line.
func id(s string) (uint64, error) {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0, usage(fmt.Errorf("an id is a whole number, as in the receipt of what it names; got %s", strconv.QuoteToASCII(s)))
	}
	return n, nil
}

// numbered is a flag with the id of something.
type numbered struct{ p *uint64 }

// Set implements pflag.Value.
func (n numbered) Set(s string) error {
	v, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return errors.New("must be a whole number, as in the receipt of what it names")
	}
	*n.p = v
	return nil
}

func (n numbered) String() string { return "" }

// Type implements pflag.Value.
func (n numbered) Type() string { return "uint64" }

// parseAmount reads credits as people type them. Its error completes a sentence
// that begins with the name of the value.
func parseAmount(s string) (netkit.Credits, error) {
	v, err := netkit.ParseCredits(s)
	if err != nil || v < 0 {
		return 0, errors.New("must be an amount of credits such as 2 or 2.50")
	}
	return v, nil
}

// amount reads credits from an argument that the usage calls AMOUNT.
func amount(s string) (netkit.Credits, error) {
	v, err := parseAmount(s)
	if err != nil {
		return 0, usage(fmt.Errorf("AMOUNT %w", err))
	}
	return v, nil
}

// money is a flag for an amount of credits.
type money struct{ set func(netkit.Credits) }

// credit is a flag that sets an amount.
func credit(p *netkit.Credits) pflag.Value { return money{func(v netkit.Credits) { *p = v }} }

// optionalCredit is a flag without which p stays nil.
func optionalCredit(p **netkit.Credits) pflag.Value {
	return money{func(v netkit.Credits) { *p = &v }}
}

// Set implements pflag.Value.
func (m money) Set(s string) error {
	v, err := parseAmount(s)
	if err == nil {
		m.set(v)
	}
	return err
}

func (m money) String() string { return "" }

// Type implements pflag.Value.
func (m money) Type() string { return "credits" }
