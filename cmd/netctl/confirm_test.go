package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/agentnet/netctl/netkit/catalog"
)

// agreements are a command line for each operation that spends credits or
// cannot be undone, and the flag that bounds what it spends.
var agreements = map[string]struct {
	line  string
	bound string
}{
	"acceptConstitution": {line: "constitution accept --as ada"},
	"acceptExecution":    {line: "market accept 1"},
	"acceptExecutions":   {line: "market accept --all 1"},
	"addOperator":        {line: "operator add root --token-file root.token"},
	"admitSponsor":       {line: "sponsor admit other --token-file other.token"},
	"adoptConstitution":  {line: "constitution adopt law.json"},
	"bookDeposit":        {line: "sponsor deposit acme 10 --reference r"},
	"closeContract":      {line: "market close 1"},
	"decideCase":         {line: "review decide 1 --uphold --reasoning r"},
	"erasePrivate":       {line: "ledger erase-private 1 --reason r"},
	"fundContract":       {line: "market fund 1 5"},
	"giveVerdict":        {line: "review verdict 1 --uphold --reasoning r --as ada"},
	"openContract":       {line: "market open --sponsor acme --title t --brief b --channel SILICON --budget 10"},
	"openExchange":       {line: "exchange open --reason r"},
	"publishDispatch":    {line: "feed publish --priority P0 --channel POLICY --headline h"},
	"readFeed":           {line: "feed ls --priority P1 --as ada", bound: "max-cost"},
	"recoverAgent":       {line: "agent recover ada --reason r --token-sha256 1111111111111111111111111111111111111111111111111111111111111111"},
	"reinstateAgent":     {line: "agent reinstate ada --reason r"},
	"returnExecution":    {line: "market return 1"},
	"reportSubject":      {line: "review report 1 --law L1 --evidence e --as ada"},
	"resolveCrisis":      {line: "feed resolve 1 --reason r"},
	"revokeBadge":        {line: "badges revoke ada FIELD_AGENT --reason r"},
	"revokeToken":        {line: "agent token revoke 1"},
	"settleExecutions":   {line: "market settle accept --ids 1"},
	"stopSponsor":        {line: "sponsor stop acme --reason r"},
	"sendAttention":      {line: "attention send bob --subject s --body b --as ada", bound: "max-price"},
	"confirmAsWitness":   {line: "badges witness 1 --as ada"},
}

// spender is a network with something to spend on, in the working directory.
func spender(t *testing.T) *session {
	audio := sampleAudio(t)
	t.Chdir(t.TempDir())
	s := newSession(t)
	s.must("init")
	for _, agent := range []string{"ada", "bob"} {
		s.must("agent", "spawn", agent, "--token-file", agent+".token")
	}
	s.must("--as", "bob", "agent", "claims", "--accept-requests", "--floor", "2")
	s.must("agent", "role", "bob", "correspondent", "--reason", "r")
	s.must("--as", "bob", "feed", "publish", "--priority", "P1", "--channel", "SILICON", "--headline", "h", "--audio", audio)
	s.must("sponsor", "admit", "acme", "--token-file", "acme.token", "--yes")
	s.must("sponsor", "deposit", "acme", "30", "--reference", "earned", "--yes")
	job := strings.TrimSpace(s.must("market", "open", "--sponsor", "acme", "--title", "t", "--brief", "b", "--channel", "SILICON", "--budget", "20", "--per-agent", "2", "--yes", "--jq", ".campaign_id"))
	for _, headline := range []string{"one", "two"} { // what attention costs has to be earned
		s.must("--as", "ada", "intent", "execute", job, "--headline", headline, "--body", "b", "--source", "https://example.org/a")
	}
	s.must("market", "accept", "--all", job, "--yes")
	law := s.must("constitution", "show", "-o", "json", "--jq", "del(.sha256, .as_of, .adopted_at)")
	if err := os.WriteFile("law.json", []byte(law), 0o600); err != nil {
		t.Fatal(err)
	}
	return s
}

// sampleAudio is a recording to publish.
func sampleAudio(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("../../examples/audio/p1-silicon-supply.mp3")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Where nobody can be asked, a command that spends credits or cannot be undone
// is a wrong command line without --yes, does nothing, and names what to give.
func TestBindingCommandsNeedYesWithoutAPerson(t *testing.T) {
	s := spender(t)
	root := (&app{}).root()
	for op := range catalog.All() {
		if !op.Spends && !op.Final {
			continue
		}
		t.Run(op.Name, func(t *testing.T) {
			s.t = t
			a, known := agreements[op.Name]
			line := strings.Fields(a.line)
			if !known || !strings.HasPrefix(a.line, commandWords(t, root, op.Command)+" ") {
				t.Fatalf("%q spends or cannot be undone and is not tried here; got %q", op.Command, a.line)
			}
			for name, more := range map[string]string{"no terminal": "", "--no-input": "--no-input"} {
				s.terminal = more != ""
				s.refusesUnasked(name, append(line, strings.Fields(more)...), a.bound)
			}
			s.terminal = false
			if code, _, talk := s.run("", append(line, "--dry-run")...); code == exitUsage {
				t.Errorf("--dry-run: got exit code %d, want the plan: %s", code, talk)
			}
			s.env["NETCTL_SPEND_AUTO"] = "1000"
			defer delete(s.env, "NETCTL_SPEND_AUTO")
			if code, _, talk := s.run("", line...); (code == exitUsage) == op.Spends {
				t.Errorf("spend.auto of 1000: got exit code %d, want no question for what spends and one for all else: %s", code, talk)
			}
		})
	}
}

// commandWords are the words that name a command, without its arguments.
func commandWords(t *testing.T, root *cobra.Command, command string) string {
	t.Helper()
	cmd, _, err := root.Find(strings.Fields(command))
	if command == "" || err != nil || cmd.HasSubCommands() {
		t.Fatalf("%q is not a command: %v", command, err)
	}
	return strings.TrimPrefix(cmd.CommandPath(), "netctl ")
}

func (s *session) refusesUnasked(name string, line []string, bound string) {
	s.t.Helper()
	before, files := s.height(), s.files()
	code, out, talk := s.run("y\n", line...)
	if code != exitUsage || out != "" {
		s.t.Errorf("%s: got exit code %d and %q, want %d: %s", name, code, out, exitUsage, talk)
	}
	for _, way := range []string{"--yes", "--dry-run", bound} {
		if !strings.Contains(talk, way) {
			s.t.Errorf("%s: the refusal does not name %s: %s", name, way, talk)
		}
	}
	if after := s.height(); after != before || s.files() != files {
		s.t.Errorf("%s: the journal went from %s to %s, the files from %s to %s", name, before, after, files, s.files())
	}
}

// height is the number of the last entry, by the dry run of a night.
func (s *session) height() string {
	s.t.Helper()
	return s.must("badges", "issue", "--nightly", "--dry-run", "--jq", ".as_of.seq")
}

// files are those of the working directory.
func (s *session) files() string {
	s.t.Helper()
	names, err := filepath.Glob("*")
	if err != nil {
		s.t.Fatal(err)
	}
	return strings.Join(names, " ")
}

// A bound agrees to what is within it, and a read that costs nothing asks nothing.
func TestBoundsAgreeWithoutAPerson(t *testing.T) {
	audio := sampleAudio(t)
	s := spender(t)
	s.terminal = false
	for _, c := range []struct {
		line string
		code int
	}{
		{"feed ls --as ada", 0},
		{"feed ls --as ada --priority P0", 0},
		{"feed ls --as ada --priority P1 --opened", 0},
		{"feed ls --as ada --priority P1 --max-cost 9.99", exitConflict},
		{"feed ls --as ada --priority P1", exitUsage},
		{"config set spend.auto lots", exitUsage},
		{"config set spend.auto 9.99", 0},
		{"feed ls --as ada --priority P1", exitUsage},
		{"feed ls --as ada --priority P1 --max-cost 10", 0},
		{"feed ls --as ada --priority P1", 0}, // paid already
		{"attention send bob --as ada --subject s --body b --max-price 1.99", exitConflict},
		{"attention send bob --as ada --subject s --body b --max-price 2", 0},
		{"feed publish --as bob --priority P2 --channel SILICON --headline h --audio " + audio, 0},
		{"badges issue --nightly", 0},
	} {
		if code, _, talk := s.run("", strings.Fields(c.line)...); code != c.code {
			t.Errorf("%s: got exit code %d, want %d: %s", c.line, code, c.code, talk)
		}
	}
}

// A question says what its answer means for whoever is asked, in whole words on
// each line of the terminal.
func TestQuestionsFitWhoIsAsked(t *testing.T) {
	s := spender(t)
	s.width = 60
	for line, want := range map[string]string{
		"market accept 1 --as acme":                           "Accept 1 execution; no pay can be returned afterwards?\n[y/N] (--yes answers yes) ",
		"market accept 1 2 --as acme":                         "Accept 2 executions; no pay can be returned afterwards?\n[y/N]",
		"market accept --all 1 --as acme":                     "Accept all executions of contract 1; no pay",
		"review report 1 --law L1 --evidence e --as ada":      "a bond of 5.00 credits of yours",
		"sponsor report 1 --law L1 --evidence e --as acme":    "Report entry 1, for which a bond of 5.00 credits of yours is held until the case is decided?\n[y/N]",
		"review report 1 --law L1 --evidence e --as operator": "Report entry 1? [y/N]",
	} {
		if code, _, talk := s.run("n\n", strings.Fields(line)...); code != exitError || !strings.Contains(talk, want) {
			t.Errorf("%s: got exit code %d and %q, want %q", line, code, talk, want)
		}
	}
}
