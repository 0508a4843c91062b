package btdt

import (
	"errors"
	"fmt"
	"strings"

	"github.com/agentnet/netctl/netkit/spelling"
)

// Problem is one thing wrong with a playbook. Values of the file are never
// repeated in it, since they may be what must not leave the machine.
type Problem struct {
	Path   string // field, as in steps[2]; empty where the file as a whole is wrong
	Line   int    // from 1; 0 where no file was read
	Column int    // from 1, in code points
	What   string // what is wrong
	Do     string // what to do next
}

// Error says where, what and what to do in one line.
func (p *Problem) Error() string {
	var b strings.Builder
	b.WriteString("btdt: ")
	if p.Path != "" {
		b.WriteString(p.Path + " ")
	}
	if p.Line > 0 {
		fmt.Fprintf(&b, "(line %d, column %d) ", p.Line, p.Column)
	}
	b.WriteString(p.What)
	if p.Do != "" {
		b.WriteString("; " + p.Do)
	}
	return b.String()
}

// join makes one error of all problems, nil of none. errors.As finds the first.
func join(problems []*Problem) error {
	errs := make([]error, len(problems))
	for i, p := range problems {
		errs[i] = p
	}
	return errors.Join(errs...)
}

// nearest returns the known word that a mistyped one most likely means, or ""
// when none is within two edits.
func nearest(word string, known []string) string {
	best, least := "", 3
	for _, k := range known {
		if len(word) > len(k)+2 {
			continue // also bounds the work on hostile input
		}
		if d := spelling.Distance(word, k); d < least {
			best, least = k, d
		}
	}
	return best
}

// meant turns a mistyped word into advice.
func meant(word string, known []string) string {
	if k := nearest(strings.ToLower(word), known); k != "" {
		return fmt.Sprintf("did you mean %q?", k)
	}
	return "use one of " + strings.Join(known, ", ")
}
