package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/btdt"
	"github.com/agentnet/netctl/netkit/catalog"
)

// follower is a program in the place of a model. It knows no tool by name: it
// goes through those that the instructions name, in their order, and fills in
// what a schema requires from what it knows and was answered.
type follower struct {
	t *testing.T
	*sdk.ClientSession
	tools map[string]*sdk.Tool
	knows map[string]any // values by the names of properties
	last  map[string]map[string]any
}

// follow connects a follower to netctl mcp.
const unsureBook = `{"title":"A bill","category":"utilities","sub_category":"bill","jurisdiction":"US","status":"RESOLVED","time_taken_days":3,
"outcome":"Paid.","steps":["Gruvelock said no.", "We asked Gruvelock again."]}`

func follow(t *testing.T, args ...string) *follower {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "follower", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: exec.Command("netctl", args...)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := &follower{t: t, ClientSession: session, tools: map[string]*sdk.Tool{}, last: map[string]map[string]any{}, knows: map[string]any{
		"slug": "newcomer", "niche": "SILICON", "matched": true, "accept_constitution": true, "accepts_attention_requests": true, "attention_floor_price": 0,
		"headline": "Fab 3 is idle", "body": "It stopped at noon.", "sources": []string{"https://example.org/fab"}}}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	})
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		f.tools[tool.Name] = tool
	}
	return f
}

// steps are the tools that the first paragraph of the instructions names.
func (f *follower) steps() (names []string) {
	first, _, _ := strings.Cut(f.InitializeResult().Instructions, "\n")
	for _, word := range regexp.MustCompile(`[a-z]+(_[a-z]+)*`).FindAllString(first, -1) {
		if f.tools[word] != nil && !slices.Contains(names, word) {
			names = append(names, word)
		}
	}
	return names
}

// fill makes a value that fits a schema, of what the model knows.
func (f *follower) fill(schema map[string]any) map[string]any {
	out := map[string]any{}
	properties, _ := schema["properties"].(map[string]any)
	for name, p := range properties {
		if value, known := f.knows[name]; known {
			out[name] = value
		} else if part := f.fill(p.(map[string]any)); len(part) > 0 {
			out[name] = part
		}
	}
	return out
}

// do calls a tool with what it requires and remembers the answer.
func (f *follower) do(name string) (refused bool) {
	f.t.Helper()
	r, err := f.CallTool(f.t.Context(), &sdk.CallToolParams{Name: name, Arguments: f.fill(f.tools[name].InputSchema.(map[string]any))})
	if err != nil {
		f.t.Fatalf("%s: %v", name, err)
	}
	if r.IsError {
		f.t.Logf("%s: %s", name, r.Content[0].(*sdk.TextContent).Text)
		return true
	}
	answer := r.StructuredContent.(map[string]any)
	f.last[name] = answer
	if items, ok := answer["items"].([]any); ok && len(items) > 0 {
		f.knows["id"] = items[0].(map[string]any)["id"]
		f.knows["campaign_id"] = f.knows["id"]
	}
	return false
}

// A newcomer connects a model to a running network. The model spawns an agent
// and earns; a stranger then verifies the book.
func TestModelFromSpawnToPay(t *testing.T) {
	l := liveIn(t)
	token := filepath.Join(t.TempDir(), "agent.token")
	f := follow(t, "--url", l.URL, "mcp", "--token-file", token)
	steps := f.steps()
	if len(steps) < 6 {
		t.Fatalf("got %q, want the way from the first call to the pay", steps)
	}
	for i, name := range steps {
		if refused := f.do(name); refused != (i == 0) { // nobody is there at first
			t.Fatalf("%s: got a refusal: %v", name, refused)
		}
	}
	paid := f.last[steps[len(steps)-1]]
	if paid["agent_share"] != 1.7 || paid["tier"] != "UNVERIFIED" {
		t.Errorf("got %v, want the pay of a newcomer", paid)
	}
	if got := f.ask("spawn_agent", map[string]any{"slug": "second", "accept_constitution": true}, nil); got != "agent_present" {
		t.Errorf("a second agent: got %q, want agent_present", got)
	}
	secret, err := smallFile(token)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := json.Marshal(f.last); err != nil || strings.Contains(string(b), firstLine(string(secret))) {
		t.Errorf("the model has seen its token, %v", err)
	}
	if out, err := exec.Command("netctl", "--url", l.URL, "ledger", "verify").CombinedOutput(); err != nil {
		t.Errorf("ledger verify: %v: %s", err, out)
	}
	again := follow(t, "--url", l.URL, "mcp", "--token-file", token)
	if again.do(steps[0]) || again.last[steps[0]]["slug"] != "newcomer" {
		t.Errorf("got %v, want the agent of the session before", again.last)
	}
}

// All tools together cost a model at most 6,250 tokens of four characters.
func TestToolsAreShort(t *testing.T) {
	l := liveIn(t)
	r, err := follow(t, "--data", l.Dir, "--as", "ada", "mcp").ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(r)
	t.Logf("%d tools, %d characters", len(r.Tools), len(b))
	if err != nil || len(b) > 25_000 || len(r.Tools) < 14 {
		t.Errorf("got %d tools in %d characters, %v, want at least 14 in at most 25000", len(r.Tools), len(b), err)
	}
}

// A session spends no more than it may, and a purchase that is repeated counts
// once.
func TestSessionSpendsWithinItsLimit(t *testing.T) {
	l := liveIn(t)
	l.netctl("--as", "bob", "agent", "claims", "--accept-requests", "--floor", "2")
	for range 3 {
		l.netctl("--as", "ada", "intent", "execute", l.contract, "--headline", "h", "--body", "b", "--source", "https://example.org/a")
	}
	l.netctl("--as", "acme", "market", "accept", "--all", l.contract)
	f := follow(t, "--data", l.Dir, "--as", "ada", "mcp", "--max-spend", "3")
	buy := func(subject string) (code string) {
		var q struct {
			QuoteID string         `json:"quote_id"`
			Price   netkit.Credits `json:"price"`
		}
		f.ask("quote", map[string]any{"to": "bob"}, &q)
		for range 2 {
			code = f.ask("send_attention", map[string]any{"to": "bob", "subject": subject, "body": "b", "quote_id": q.QuoteID}, nil)
		}
		return code
	}
	for _, c := range []struct{ subject, want string }{{"first", ""}, {"second", "session_spend"}} {
		if got := buy(c.subject); got != c.want {
			t.Errorf("%s: got %q, want %q", c.subject, got, c.want)
		}
	}
}

// ask calls a tool and returns the code of its refusal, "" if there was none.
func (f *follower) ask(name string, arguments, out any) (code string) {
	f.t.Helper()
	r, err := f.CallTool(f.t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		f.t.Fatalf("%s: %v", name, err)
	}
	text := []byte(r.Content[0].(*sdk.TextContent).Text)
	if r.IsError {
		var told struct{ Code string }
		if err := json.Unmarshal(text, &told); err != nil {
			f.t.Fatal(err)
		}
		return told.Code
	}
	if out != nil {
		if err := json.Unmarshal(text, out); err != nil {
			f.t.Fatal(err)
		}
	}
	return ""
}

// A playbook is checked and registered on the agent's machine: what leaves it
// is metadata.
func TestModelRegistersPlaybook(t *testing.T) {
	l := liveIn(t)
	f := follow(t, "--data", l.Dir, "--as", "ada", "mcp")
	b, err := smallFile("../../examples/playbooks/utilities-deposit-refund.json")
	if err != nil {
		t.Fatal(err)
	}
	var checked, registered map[string]any
	given := map[string]any{"playbook": json.RawMessage(b)}
	if code := f.ask("check_playbook", given, &checked) + f.ask("register_playbook", given, &registered); code != "" {
		t.Fatalf("got refusal %s", code)
	}
	stored, err := os.ReadFile(fmt.Sprint(registered["file"]))
	if err != nil {
		t.Fatal(err)
	}
	book, err := btdt.Parse(stored)
	if hash := netkit.Hash(book.SHA256()); err != nil || hash.String() != registered["content_sha256"] {
		t.Errorf("got a file of hash %s (%v), want that of the registration, %v", hash, err, registered["content_sha256"])
	}
	if again, err := btdt.Parse([]byte(fmt.Sprint(checked["playbook"]))); err != nil || again.SHA256() != book.SHA256() {
		t.Errorf("got %v and %v, want the playbook that was registered", checked["playbook"], err)
	}
	unsure := map[string]any{"playbook": json.RawMessage(unsureBook)}
	var open struct{ Questions []string }
	if code := f.ask("check_playbook", unsure, &open); code != "" || len(open.Questions) != 1 || !strings.HasPrefix(open.Questions[0], "Gruvelock | 0.") {
		t.Errorf("got %q and %+v, want one question", code, open)
	}
	if code := f.ask("register_playbook", unsure, nil); code != "playbook_wrong" {
		t.Errorf("got %q, want a refusal while a question is open", code)
	}
	foreign := map[string]any{"playbook": json.RawMessage(strings.Replace(unsureBook, "Gruvelock said no.", "山田太郎さんに電話しました。", 1)), "mask_unsure": true}
	if code := f.ask("register_playbook", foreign, nil); code != "playbook_wrong" {
		t.Errorf("got %q, want a refusal of a language that is not known", code)
	}
	foreign["read"] = []string{"japanese"}
	if code := f.ask("register_playbook", foreign, nil); code != "" {
		t.Errorf("got %q, want it registered once the language was read", code)
	}
	unsure["keep"] = []string{"Gruvelock"}
	if code := f.ask("register_playbook", unsure, &registered); code != "" || !fileHolds(registered["file"], "Gruvelock said no") {
		t.Errorf("got %q and %v, want the kept word registered", code, registered)
	}
	if code := f.ask("check_playbook", map[string]any{"playbook": map[string]any{"title": "t"}}, nil); code != "playbook_wrong" {
		t.Errorf("got %q, want playbook_wrong", code)
	}
}

func fileHolds(path any, text string) bool {
	data, err := os.ReadFile(fmt.Sprint(path))
	return err == nil && strings.Contains(string(data), text)
}

// The configuration that is printed starts the very same session.
func TestPrintedConfigStarts(t *testing.T) {
	l := liveIn(t)
	out, err := exec.Command("netctl", "-q", "--data", l.Dir, "--as", "ada", "mcp", "--print-config").Output()
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		MCPServers map[string]struct {
			Command string
			Args    []string
		}
	}
	if err := json.Unmarshal(out, &config); err != nil {
		t.Fatal(err)
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "c", Version: "1"}, nil)
	one := config.MCPServers["netctl"]
	session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: exec.Command("netctl", one.Args...)}, nil)
	if err != nil {
		t.Fatalf("%s %q: %v", one.Command, one.Args, err)
	}
	r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "whoami"})
	if err != nil || !strings.Contains(fmt.Sprint(r.StructuredContent), "slug:ada") {
		t.Errorf("got %v, %v, want ada", r, err)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
}

// With --debug the requests of a model's session are told of, without its token.
func TestModelSessionIsTold(t *testing.T) {
	l := liveIn(t)
	told := &bytes.Buffer{}
	server := exec.Command("netctl", "--url", l.URL, "--debug", "mcp", "--token-file", filepath.Join(t.TempDir(), "agent.token"))
	server.Stderr = told
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: server}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, call := range []*sdk.CallToolParams{{Name: "spawn_agent", Arguments: map[string]any{"slug": "newcomer"}}, {Name: "whoami"}} {
		if _, err := session.CallTool(t.Context(), call); err != nil {
			t.Errorf("%s: %v", call.Name, err)
		}
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	got := told.String()
	if !strings.Contains(got, "/api/agent/spawn: 200") || !strings.Contains(got, "/api/agent/me: 200") || strings.Contains(got, "nk_") {
		t.Errorf("got %q, want each request and no token", got)
	}
}

// A session reports the version that the server reports over HTTP, marks the
// texts of a network that it reaches by its address, and warns of a token that
// others may read.
func TestModelSessionWarns(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the mode of a file does not say who may read it")
	}
	l := liveIn(t)
	file := filepath.Join(t.TempDir(), "agent.token")
	if out, err := exec.Command("netctl", "--url", l.URL, "agent", "spawn", "newcomer", "--token-file", file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	told := &bytes.Buffer{}
	server := exec.Command("netctl", "--url", l.URL, "mcp", "--token-file", file)
	server.Stderr = told
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: server}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := session.InitializeResult().ServerInfo.Version; got != catalog.Version {
		t.Errorf("got version %s, want %s", got, catalog.Version)
	}
	r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "get_agent", Arguments: map[string]any{"slug": "nobody"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Content[0].(*sdk.TextContent).Text; !strings.Contains(got, `"problem":{"untrusted":"`) {
		t.Errorf("got %s, want the network's text marked", got)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	if got := told.String(); strings.Count(got, "warning: others may read "+file) != 1 {
		t.Errorf("got %q, want one warning", got)
	}
}
