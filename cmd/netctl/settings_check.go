package main

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/agentnet/netctl/netkit/timespan"
)

func oneOf(words ...string) func(string) error {
	return func(s string) error {
		if slices.Contains(words, s) {
			return nil
		}
		return fmt.Errorf("must be one of %s", strings.Join(words, ", "))
	}
}

func prefixList(s string) error {
	_, err := prefixes(s)
	return err
}

// prefixes reads addresses and prefixes with spaces between.
func prefixes(s string) (all []netip.Prefix, err error) {
	for word := range strings.FieldsSeq(s) {
		p, err := netip.ParsePrefix(word)
		if ip, one := netip.ParseAddr(word); one == nil {
			p, err = ip.Prefix(ip.BitLen())
		}
		if err != nil {
			return nil, errors.New("must be addresses or prefixes such as 127.0.0.1 or 10.1.0.0/16")
		}
		all = append(all, p.Masked())
	}
	return all, nil
}

// domainList accepts names and addresses, without schemes, ports and paths.
func domainList(s string) error {
	for word := range strings.FieldsSeq(s) {
		if _, err := netip.ParseAddr(word); err != nil && strings.ContainsAny(word, ":/*@") {
			return errors.New("must be names such as net.example.org or IP addresses, without https:// and port")
		}
	}
	return nil
}

func boolean(s string) error {
	return oneOf("true", "false")(s)
}

func duration(s string) error {
	_, err := timespan.Parse(s, 0)
	return err
}

// wholeDays accepts spans of one day or more.
func wholeDays(s string) error {
	if d, err := timespan.Parse(s, 0); err != nil || d%(24*time.Hour) != 0 {
		return errors.New("must be a number of days such as 180d")
	}
	return nil
}

func spanOrNone(s string) error {
	if s == "0" {
		return nil
	}
	return duration(s)
}

func durationOrNone(s string) error {
	if d, err := time.ParseDuration(s); err != nil || d < 0 || d > 0 && d < time.Millisecond {
		return errors.New("must be a time such as 250ms or 2s, or 0")
	}
	return nil
}

func credits(s string) error {
	_, err := parseAmount(s)
	return err
}

func wholeNumber(s string) error {
	if len(s) == 0 || len(s) > 9 || strings.Trim(s, "0123456789") != "" {
		return errors.New("must be a whole number, 0 or more")
	}
	return nil
}

// positive refuses 0, which would read as none and mean the default.
func positive(s string) error {
	if wholeNumber(s) != nil || strings.Trim(s, "0") == "" {
		return errors.New("must be a whole number, 1 or more")
	}
	return nil
}
