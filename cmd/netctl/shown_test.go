package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agentnet/netctl/cmd/netctl/fleet"
	"github.com/agentnet/netctl/netkit"
)

// lived is a served network with a little of everything, for the faces.
type lived struct {
	*fleet.Server
	t        *testing.T
	token    string // ada's
	contract string
}

func liveIn(t *testing.T) *lived {
	t.Helper()
	needs(t, "bash", "curl", "sed")
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	l := &lived{Server: &fleet.Server{T: t, Dir: filepath.Join(t.TempDir(), "it's here")}, t: t}
	l.Start()
	ada, bob := l.Spawn("ada"), l.Spawn("bob")
	l.Spawn("cora")
	l.token = ada.String()
	for _, a := range []netkit.Token{ada, bob} {
		l.MustSend("PUT", "/api/agent/claims", a.String(), `{"accepts_attention_requests":true,"attention_floor_price":0}`, nil)
	}
	l.netctl("agent", "role", "cora", "correspondent", "--reason", "r")
	l.netctl("sponsor", "admit", "acme", "--name", "Acme")
	l.netctl("sponsor", "deposit", "acme", "100", "--reference", "wire")
	l.contract = l.netctl("market", "open", "--sponsor", "acme", "--title", "Fab watch", "--brief", "b", "--channel", "SILICON", "--budget", "80", "--per-agent", "9", "--jq", ".campaign_id")
	l.netctl("--as", "cora", "feed", "publish", "--priority", "P1", "--channel", "SILICON", "--headline", "Supply eases", "--audio", sampleAudio(t))
	for _, subject := range []string{"Which?", "And the other?", "A third?", "And the last?"} {
		l.MustSend("POST", "/api/intent/attention", bob.String(), `{"to":"ada","subject":"`+subject+`","body":"The one."}`, nil)
	}
	return l
}

// netctl runs a command on the folder as the operator.
func (l *lived) netctl(args ...string) string {
	l.t.Helper()
	out, err := exec.Command("netctl", append([]string{"--data", l.Dir, "-q", "--yes"}, args...)...).Output()
	if err != nil {
		l.t.Fatalf("netctl %q: %v: %s", args, err, err.(*exec.ExitError).Stderr)
	}
	return strings.TrimSpace(string(out))
}

// dialogue runs netctl tui --accessible and returns what it says.
func (l *lived) dialogue(env []string, flags []string, lines ...string) string {
	l.t.Helper()
	cmd := exec.Command("netctl", append(flags, "tui", "--accessible")...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdin = strings.NewReader(strings.Join(append(lines, "quit"), "\n") + "\n")
	out, err := cmd.CombinedOutput()
	if err != nil {
		l.t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// shown are the pairs of commands that a dialogue showed.
func shown(out string) (netctl, curl []string) {
	for _, m := range regexp.MustCompile(`(?s)netctl\n(netctl .*?)\ncurl\n(curl [^\n]*)\n`).FindAllStringSubmatch(out, -1) {
		netctl, curl = append(netctl, m[1]), append(curl, m[2])
	}
	return netctl, curl
}

// bash runs a line in a shell and wants JSON.
func (l *lived) bash(env []string, line string) []byte {
	l.t.Helper()
	cmd := exec.Command("bash", "-c", line)
	cmd.Env = append(os.Environ(), env...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil || !json.Valid(out) || bytes.Contains(out, []byte(`"code"`)) {
		l.t.Errorf("%s\n%v: %s%s", line, err, said.String(), out)
	}
	return out
}

// seqOf is the entry that a receipt names.
func seqOf(b []byte) uint64 {
	var r struct{ Seq uint64 }
	_ = json.Unmarshal(b, &r) // bash has checked it
	return r.Seq
}

// What c shows runs as it stands, on a folder and from afar. A purchase that
// is sent by the netctl line, by the curl line and once more counts once.
func TestShownCommandsRun(t *testing.T) {
	l := liveIn(t)
	for name, how := range map[string]struct{ env, flags []string }{
		"folder": {nil, []string{"--data", l.Dir, "--as", "ada"}},
		"afar":   {[]string{"NETCTL_TOKEN=" + l.token}, []string{"--url", l.URL}},
	} {
		t.Run(name, func(t *testing.T) {
			l.t = t
			l.questions(how.env, how.flags)
			l.paidRead(how.env, how.flags)
			l.purchases(how.env, how.flags, name)
		})
	}
	if b := l.books(); b != 0 {
		t.Errorf("got a sum of %s over all accounts, want 0", b)
	}
}

// paidRead publishes a dispatch and opens it by both lines: it costs once, and
// no more than the question said.
func (l *lived) paidRead(env, flags []string) {
	l.t.Helper()
	l.netctl("--as", "cora", "feed", "publish", "--priority", "P1", "--channel", "SILICON", "--headline", "Another", "--audio", sampleAudio(l.t))
	before := l.netctl("--as", "ada", "agent", "me", "--jq", ".balance")
	netctl, curl := shown(l.dialogue(env, flags, "Feed", "buy", "c", "no"))
	if len(netctl) != 1 || !strings.HasSuffix(netctl[0], "--max-cost=10.00") {
		l.t.Fatalf("got %q, want one line with the bound", netctl)
	}
	l.bash(env, netctl[0]+" -o json")
	l.bash(env, curl[0])
	after := l.netctl("--as", "ada", "agent", "me", "--jq", ".balance")
	var b, a netkit.Credits
	b, _ = netkit.ParseCredits(before) // from the network
	a, _ = netkit.ParseCredits(after)
	if b-a != 10*netkit.Credit {
		l.t.Errorf("got from %s to %s, want 10.00 less", before, after)
	}
}

func (l *lived) books() netkit.Credits {
	var b netkit.Books
	l.MustSend("GET", "/api/ledger/conservation", "", "", &b)
	return b.Sum
}

// questions shows and runs what each screen and each first row is.
func (l *lived) questions(env, flags []string) {
	l.t.Helper()
	var lines []string
	for _, screen := range []string{"Feed", "Market", "Directory", "Agent", "Inbox", "Wallet", "Network", "Playbooks"} {
		lines = append(lines, screen, "share", "row 1", "share", "back")
	}
	lines = append(lines, "Market", "filter channel:silicon matched:yes", "back", "share", "Directory", "filter tier:unverified", "share", "Inbox", "filter state:pending", "share")
	netctl, curl := shown(l.dialogue(env, flags, lines...))
	if len(netctl) < 15 || len(netctl) != len(curl) {
		l.t.Fatalf("got %d netctl and %d curl lines, want as many pairs as shares", len(netctl), len(curl))
	}
	ran := map[string]bool{}
	for i := range netctl {
		for _, line := range []string{netctl[i] + " -o json", curl[i]} {
			if !ran[line] {
				l.bash(env, line)
			}
			ran[line] = true
		}
	}
}

// purchases shows each thing that can be done and answers no, runs the lines
// that were shown, and then says yes to the same.
func (l *lived) purchases(env, flags []string, name string) {
	l.t.Helper()
	request := "row 1" // the newest that is pending
	for what, lines := range map[string][]string{
		"execute": {"Market", "row 1", "execute", "It's @idle " + name, `@Two <fabs> & "three"\`, "stand $STILL.", "https://example.org/a?b=c&d", "c", "no"},
		"send":    {"Directory", "row 2", "send", "Hello", "One question.", "24h", "c", "no"},
		"claims":  {"Agent", "claims", "LEGAL", "some-provider", "yes", "3.5", "Reads the law, " + name + ".", "c", "no"},
		"channel": {"Agent", "subscribe", "LEGAL SILICON", "c", "no"},
		"answer":  {"Inbox", "filter state:pending", request, "answer", "Fab 3.", "c", "no"},
	} {
		netctl, curl := shown(l.dialogue(env, flags, lines...))
		if len(netctl) != 1 || len(curl) != 1 {
			l.t.Errorf("%s: got %d netctl and %d curl lines, want one each", what, len(netctl), len(curl))
			continue
		}
		first := seqOf(l.bash(env, netctl[0]+" --yes -o json"))
		for _, line := range []string{curl[0], netctl[0] + " --yes -o json"} {
			if got := seqOf(l.bash(env, line)); got != first || got == 0 {
				l.t.Errorf("%s: got entry %d by %s, want %d again", what, got, line, first)
			}
		}
		// Said here first and sent by a line after it, it counts once as well. What
		// the lines before have done makes no entry.
		settled := what == "claims" || what == "channel"
		entries := l.netctl("ledger", "ls", "--limit", "1", "--jq", ".[0].seq")
		said := l.dialogue(env, flags, append(slices.Clone(lines[:len(lines)-1]), "yes")...)
		if netctl, _ := shown(said); len(netctl) != 1 {
			l.t.Errorf("%s: got %q, want one line", what, netctl)
		} else if after := l.netctl("ledger", "ls", "--limit", "1", "--jq", ".[0].seq"); (after == entries) != settled {
			l.t.Errorf("%s: got entry %s by yes after %s: %s", what, after, entries, said)
		} else if got := seqOf(l.bash(env, netctl[0]+" --yes -o json")); fmt.Sprint(got) != after {
			l.t.Errorf("%s: got entry %d by the line after yes, want %s again", what, got, after)
		}
		if what == "execute" {
			l.recorded(first, "It's @idle "+name)
		}
	}
}

// recorded checks that an execution is what was typed.
func (l *lived) recorded(seq uint64, headline string) {
	l.t.Helper()
	var e struct {
		Kind string `json:"kind"`
	}
	l.MustSend("GET", fmt.Sprintf("/api/ledger/entries/%d", seq), "", "", &e)
	if e.Kind != "execution" {
		l.t.Errorf("got %q at entry %d, want the execution %q", e.Kind, seq, headline)
	}
}

// While the screens are open on a folder that nobody serves, other commands on
// it work through them, and what they do is told.
func TestScreensLetOthersIn(t *testing.T) {
	l := liveIn(t)
	l.Kill()
	cmd := exec.Command("netctl", "--data", l.Dir, "--as", "ada", "tui", "--accessible")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	heard := hear(t, out)
	heard.until("> ")
	l.netctl("feed", "publish", "--priority", "P0", "--channel", "MEDIA", "--headline", "Lines are down")
	heard.until("P0 CRISIS on MEDIA: Lines are down")
	if _, ok := findRunning(context.Background(), l.Dir); !ok {
		t.Error("the folder is not announced while the screens are open")
	}
	fmt.Fprintln(in, "quit")
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(runningFile(l.Dir)); err == nil {
		t.Error("server.json is left behind")
	}
	if got := l.netctl("feed", "crisis", "--jq", ".[0].headline"); got != "Lines are down" {
		t.Errorf("got the crisis %q afterwards, want Lines are down", got)
	}
}

// listener reads what a program says while it runs.
type listener struct {
	t    *testing.T
	from *bufio.Reader
}

func hear(t *testing.T, out io.Reader) *listener { return &listener{t, bufio.NewReader(out)} }

func (h *listener) until(text string) {
	h.t.Helper()
	var said strings.Builder
	for !strings.Contains(said.String(), text) {
		r, _, err := h.from.ReadRune()
		if err != nil {
			h.t.Fatalf("it ended without %q: %s", text, said.String())
		}
		said.WriteRune(r)
	}
}
