package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/agentnet/netctl/netkit/netkittest"
)

// Each page of help has two examples at least.
func TestEveryCommandHasExamples(t *testing.T) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Name() == "completion" || cmd.Name() == "help" || cmd.IsAdditionalHelpTopicCommand() {
			return
		}
		if n := strings.Count(examplesOf(cmd), "  netctl "); cmd.HasParent() && n < 2 && (cmd.Parent().HasParent() || !cmd.HasSubCommands() || len(cmd.Commands()) > 1) {
			t.Errorf("%s: got %d examples, want two", cmd.CommandPath(), n)
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk((&app{}).root())
	if out := newSession(t).must("market", "fund", "--help"); !strings.Contains(out, "Examples:\n  netctl --as acme market fund $CONTRACT 5\n") {
		t.Errorf("got %q, want the examples", out)
	}
}

// stage is a network on which the examples are run.
type stage struct {
	*session
	vars map[string]string
}

// newStage seeds a network in the working directory, with the files that the
// examples name, and serves it.
func newStage(t *testing.T) *stage {
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{spender(t), map[string]string{"HASH": strings.Repeat("1", 64)}}
	for name, from := range map[string]string{"recording.mp3": "audio/p1-silicon-supply.mp3", "playbook.json": "playbooks/utilities-deposit-refund.json"} {
		b, err := os.ReadFile(filepath.Join(examples, from))
		if err != nil {
			t.Fatal(err)
		}
		s.write(name, string(b))
	}
	s.must("--as", "ada", "agent", "claims", "--accept-requests", "--floor", "1")
	s.must("--as", "ada", "agent", "token", "issue", "--scope", "read")
	s.must("sponsor", "deposit", "acme", "500", "--reference", "seed", "--yes")
	for _, title := range []string{"Wafers", "Other"} {
		id := s.must("market", "open", "--sponsor", "acme", "--title", title, "--brief", "b", "--channel", "SILICON", "--budget", "50", "--per-agent", "5", "--yes", "--jq", ".campaign_id")
		s.vars[map[string]string{"Wafers": "CONTRACT", "Other": "OTHER"}[title]] = strings.TrimSpace(id)
	}
	s.vars["EXECUTION"] = strings.TrimSpace(s.must("--as", "bob", "intent", "execute", s.vars["CONTRACT"], "--headline", "h", "--body", "b", "--source", "https://example.org/a", "--jq", ".execution_id"))
	s.vars["DISPATCH"] = strings.TrimSpace(s.must("--as", "bob", "feed", "publish", "--priority", "P1", "--channel", "LEGAL", "--headline", "h", "--audio", "recording.mp3", "--jq", ".dispatch_id"))
	s.write("brief.txt", "Everything that stopped, with its sources.")
	return s
}

func (s *stage) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// serve serves the network until the test ends.
func (s *stage) serve() {
	s.t.Helper()
	ctx, stop := context.WithCancel(s.t.Context())
	ended := make(chan int, 1)
	go func() {
		ended <- s.app("", io.Discard, io.Discard).main(ctx, []string{"serve", "--addr", "127.0.0.1:0", "--intent-addr", "127.0.0.1:0", "--log-file", "log"})
	}()
	s.t.Cleanup(func() {
		stop()
		if code := <-ended; code != 0 {
			s.t.Errorf("serve: got exit code %d, want 0", code)
		}
	})
	netkittest.Until(s.t, "serve", func() bool {
		_, served := findRunning(s.t.Context(), filepath.Join(s.env["XDG_DATA_HOME"], "netctl"))
		return served
	})
}

// found are the names whose value changes while the examples run, and what finds
// it.
var found = map[string]string{
	"REQUEST": "--as ada attention inbox --state pending --jq .[0].id",
	"TOKEN":   "--as ada agent token ls --jq .[-1].token_id",
	"CRISIS":  "feed crisis --jq .[0].id",
	"CASE":    "review queue --jq .[0].id",
	"LATEST":  "--as acme market results $CONTRACT --jq .[0].execution_id",
	"ADDRESS": "agent wallet new-key address.key --jq .address",
}

var variable = regexp.MustCompile(`\$[A-Z]+`)

// fill puts values in the place of the names in a line.
func (s *stage) fill(line string) string {
	return variable.ReplaceAllStringFunc(line, func(name string) string {
		name = name[1:]
		if how, changes := found[name]; changes {
			if code, out, _ := s.run("", strings.Fields(s.fill(how))...); code == 0 && strings.TrimSpace(out) != "" && strings.TrimSpace(out) != "null" {
				s.vars[name] = strings.TrimSpace(out)
			}
		}
		if s.vars[name] == "" {
			return "1"
		}
		return s.vars[name]
	})
}

var quoted = regexp.MustCompile(`'([^']*)'|(\S+)`)

// split takes a line apart as a shell does.
func split(line string) (words []string) {
	for _, m := range quoted.FindAllStringSubmatch(line, -1) {
		words = append(words, m[1]+m[2])
	}
	return words[1:]
}

func TestExamplesWork(t *testing.T) {
	s := newStage(t)
	s.serve()
	for _, e := range allExamples() {
		line := split(s.fill(e.line))
		if err := parsed(line); err != nil {
			t.Errorf("%s: %v", e.line, err)
		}
		if e.how == '~' {
			continue
		}
		if e.how == '?' {
			line = append(line, "--dry-run")
		}
		if code, out, talk := s.run("y\n", line...); code != 0 {
			t.Errorf("%s: got exit code %d, %q, %q", e.line, code, out, talk)
		}
	}
}

// parsed reports what is wrong with a command line without running it.
func parsed(line []string) error {
	root := (&app{}).root()
	cmd, rest, err := root.Find(line)
	if err != nil {
		return err
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return err
	}
	if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
		return err
	}
	if err := cmd.ValidateRequiredFlags(); err != nil {
		return err
	}
	if !cmd.Runnable() || cmd.HasSubCommands() && cmd.Name() != "sandbox" {
		return fmt.Errorf("%s is not a command", cmd.CommandPath())
	}
	return nil
}
