package main

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/audit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/netclient"
	"github.com/agentnet/netctl/netkit/vault"
)

// The exit codes.
const (
	exitError       = 1
	exitUsage       = 2
	exitNotFound    = 3
	exitNotAllowed  = 4
	exitConflict    = 5
	exitUnreachable = 6
)

// errUsage marks a wrong command line or setting.
var errUsage = errors.New("usage")

// usage marks an error as a wrong command line.
func usage(err error) error {
	if errors.Is(err, errUsage) {
		return err
	}
	return &usageError{err}
}

type usageError struct{ err error }

func (e *usageError) Error() string        { return e.err.Error() }
func (e *usageError) Unwrap() error        { return e.err }
func (e *usageError) Is(target error) bool { return target == errUsage }

// failure is an error of a kind that decides the exit code; the kind is not
// part of its text.
type failure struct {
	kind error
	text string
}

func (f *failure) Error() string { return f.text }
func (f *failure) Unwrap() error { return f.kind }

// because makes a failure of that kind.
func because(kind error, format string, args ...any) error {
	return &failure{kind, fmt.Sprintf(format, args...)}
}

// exits maps errors to exit codes, the first that fits.
var exits = []struct {
	err  error
	code int
}{
	{errUsage, exitUsage},
	{netkit.ErrNotFound, exitNotFound},
	{journal.ErrNotFound, exitNotFound},
	{fs.ErrNotExist, exitNotFound},
	{vault.ErrMissing, exitNotFound},
	{netkit.ErrForbidden, exitNotAllowed},
	{netkit.ErrUnauthenticated, exitNotAllowed},
	{journal.ErrNotWritable, exitNotAllowed},
	{fs.ErrPermission, exitNotAllowed},
	{vault.ErrPassphrase, exitNotAllowed},
	{netkit.ErrConflict, exitConflict},
	{netkit.ErrInsufficientCredits, exitConflict},
	{journal.ErrLocked, exitConflict},
	{errAddressTaken, exitConflict},
	{netclient.ErrUnreachable, exitUnreachable},
	{netkit.ErrUnavailable, exitUnreachable},
	{netkit.ErrUnknownOutcome, exitUnreachable},
}

// exitCode decides what the process returns.
func exitCode(err error) int {
	for _, e := range exits {
		if errors.Is(err, e.err) {
			return e.code
		}
	}
	return exitError
}

// told is an error as -o json writes it.
type told struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Field   string `json:"field,omitempty"`
	Law     string `json:"law,omitempty"`
	Next    string `json:"next,omitempty"`
	Faults  faults `json:"faults,omitempty"` // places in playbook files
	Exit    int    `json:"exit"`
	// Of a journal: the first entry that breaks a rule, and which.
	*netkit.Violation
}

var exitNames = map[int]string{exitError: "error", exitUsage: "usage", exitNotFound: "not_found",
	exitNotAllowed: "not_allowed", exitConflict: "conflict", exitUnreachable: "unreachable"}

// codeAhead is the code of a journal that is ahead of this clock. Only the command
// line has it: a server judges no journal by its own clock.
const codeAhead = "journal_ahead"

// complain writes an error to standard error in the form that was asked for;
// cmd is the command that it came from.
func (a *app) complain(cmd *cobra.Command, err error) {
	t := told{Message: reworded(plainly(err)), Exit: exitCode(err)}
	if errors.Is(err, netclient.ErrUnreachable) {
		t.Next = "netctl doctor looks for the reason, netctl ctx ls shows where commands go"
		t.Message += "; " + t.Next
	}
	t.Code = exitNames[t.Exit]
	if errors.Is(err, audit.ErrAhead) {
		t.Code = codeAhead
	}
	var r *netkit.Refusal
	if errors.As(err, &r) {
		t.Field, t.Law, t.Next = r.Field, r.Law, catalog.Advise(r.Next, catalog.CommandLine)
		inGo := strings.TrimPrefix((&netkit.Refusal{Next: r.Next}).Error(), "netkit: ; ") // as the message has it
		t.Message = strings.Replace(t.Message, inGo, t.Next, 1)
		if r.Code != "" {
			t.Code = r.Code
		}
		if a.terminal && r.Law != "L7" { // never a key, even to whoever typed it
			t.Message = a.typed(cmd, r.Field, t.Message)
		}
	}
	errors.As(err, &t.Faults)
	errors.As(err, &t.Violation)
	if a.set != nil && a.set.v.GetString("output") == "json" {
		b, _ := encode(map[string]told{"error": t}) // plain texts and numbers marshal
		_, _ = a.err.Write(b)
		return
	}
	for line := range strings.SplitSeq(t.Message, "\n") {
		fmt.Fprintf(a.err, "netctl: %s\n", clean(line))
	}
	if help := cmd.CommandPath() + " --help"; t.Exit == exitUsage && !strings.Contains(t.Message, help) {
		fmt.Fprintf(a.err, "netctl: see %s\n", help)
	}
}

// fieldsOf are the fields of requests that an argument stands for, by its name in
// the usage of a command.
var fieldsOf = map[string][]string{
	"AGENT": {"slug", "agent", "to"}, "SPONSOR": {"slug", "sponsor"}, "OPERATOR": {"slug"}, "ACCOUNT": {"account"},
	"CONTRACT": {"campaign_id", "id"}, "DISPATCH": {"dispatch_id", "id"}, "REQUEST": {"id"}, "CASE": {"case_id", "id"}, "EXECUTION": {"execution_id", "id"},
	"ENTRY": {"entry", "seq", "subject"}, "TOKEN": {"token_id", "id"}, "DUTY": {"id"}, "AMOUNT": {"amount"}, "BADGE": {"badge"}, "ROLE": {"role"},
}

// typed puts what was typed for a field in the place of its name. The network
// repeats nothing that it was sent; on a terminal whoever typed it may see it.
func (a *app) typed(cmd *cobra.Command, field, message string) string {
	rest, begins := strings.CutPrefix(message, field+" ")
	if field == "" || !begins {
		return message
	}
	name := field[strings.LastIndexByte(field, '.')+1:]
	for _, flag := range []string{name, strings.TrimSuffix(name, "s")} {
		if f := cmd.Flags().Lookup(strings.ReplaceAll(flag, "_", "-")); f != nil && f.Changed && f.Value.String() != "" {
			return "--" + f.Name + " " + asTyped(f.Value.String()) + " " + rest
		}
	}
	for i, word := range strings.Fields(cmd.Use)[1:] {
		if i < len(a.args) && slices.Contains(fieldsOf[strings.Trim(word, "[].")], name) {
			return asTyped(a.args[i]) + " " + rest
		}
	}
	return message
}

// asTyped shows a value as it would be typed, shortened.
func asTyped(s string) string {
	if s = clean(s); len([]rune(s)) > 40 {
		s = string([]rune(s)[:39]) + "…"
	}
	if strings.ContainsAny(s, " '\"\\") || s == "" {
		return strconv.Quote(s)
	}
	return s
}

// missingFlags is how the library says that flags were left out.
var missingFlags = regexp.MustCompile(`^required flag\(s\) (.*) not set$`)

// reworded says otherwise what the library that reads the command line complains of.
func reworded(s string) string {
	if m := missingFlags.FindStringSubmatch(s); m != nil {
		return "give --" + strings.ReplaceAll(strings.ReplaceAll(m[1], `", "`, " and --"), `"`, "")
	}
	if strings.HasPrefix(s, "unknown shorthand flag: '") && s[25] >= '0' && s[25] <= '9' {
		return "ids and amounts are not below 0, and -" + s[25:26] + " is not a flag"
	}
	return s
}

// plainly drops the package names that errors begin with: they tell where in
// the program an error arose, which its user does not ask.
func plainly(err error) string {
	lines := strings.Split(err.Error(), "\n")
	for i := range lines {
		for _, name := range []string{"netkit: ", "netclient: ", "journal: ", "audit: ", "btdt: ", "proof: ", "witness: ", "host: "} {
			// Where one error holds another, and never inside of a sentence.
			lines[i] = strings.ReplaceAll(strings.TrimPrefix(lines[i], name), ": "+name, ": ")
		}
	}
	return strings.Join(lines, "\n")
}
