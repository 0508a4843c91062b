package examples

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netclient"
)

// chatMessage is a message as the endpoint of a model sees and sends it.
type chatMessage struct {
	Role       string     `json:"role"`
	Content    string     `json:"content"`
	ToolCalls  []chatCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type chatCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// calling makes the message of a model that calls a tool.
func calling(name, arguments string) (m chatMessage) {
	c := chatCall{ID: "call-" + name, Type: "function"}
	c.Function.Name, c.Function.Arguments = name, arguments
	return chatMessage{Role: "assistant", ToolCalls: []chatCall{c}}
}

// worker is a model that looks for a contract, executes it and says so.
type worker struct {
	t    *testing.T
	told []string // what its tools answered
}

func (w *worker) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	var in struct {
		Model    string
		Messages []chatMessage
		Tools    []struct {
			Type     string
			Function struct{ Name string }
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer mk-1" || in.Model != "small" {
		w.t.Errorf("got %s with %v, %v, want a chat completion with the key", r.URL, in, err)
	}
	if len(in.Tools) < 10 || in.Tools[0].Type != "function" || in.Tools[0].Function.Name != "whoami" {
		w.t.Errorf("got tools %v, want those of the network", in.Tools)
	}
	last := in.Messages[len(in.Messages)-1]
	if last.Role == "tool" {
		w.told = append(w.told, last.Content)
	}
	_ = json.NewEncoder(rw).Encode(map[string]any{"choices": []any{map[string]any{"message": w.next(last)}}})
}

// next is what the model says after a message.
func (w *worker) next(last chatMessage) chatMessage {
	switch strings.TrimPrefix(last.ToolCallID, "call-") {
	case "":
		return calling("whoami", "")
	case "whoami":
		return calling("send_attention", `{"to":"ada","subject":"s","body":"b","quote_id":"made-up"}`)
	case "send_attention":
		return calling("search_contracts", `{"matched":true}`)
	case "search_contracts":
		var found netkit.List[struct{ ID uint64 }]
		if err := json.Unmarshal([]byte(last.Content), &found); err != nil || len(found.Items) != 1 {
			w.t.Errorf("got %s, %v, want one contract", last.Content, err)
			return chatMessage{Role: "assistant", Content: "none"}
		}
		return calling("execute_contract", fmt.Sprintf(`{"campaign_id":%d,"signal":{"headline":"h","body":"b","sources":["https://example.org/"]}}`, found.Items[0].ID))
	}
	return chatMessage{Role: "assistant", Content: "earned"}
}

// A model that is given the tools by a program of forty lines earns, is told of
// refusals, and gets texts of others as such.
func TestFunctionCalling(t *testing.T) {
	for _, program := range []string{"chat.py", "chain.py"} {
		t.Run(program, func(t *testing.T) {
			url, _ := serveNetwork(t)
			dir := t.TempDir()
			net := joined(t, url, filepath.Join(dir, "ada.token"))
			w := &worker{t: t}
			model := httptest.NewServer(w)
			t.Cleanup(model.Close)
			t.Setenv("NETCTL_MODEL_KEY", "mk-1")
			path, err := filepath.Abs("function-calling/" + program)
			if err != nil {
				t.Fatal(err)
			}
			if out, err := python(t, dir, nil, path, url, "ada.token", model.URL+"/v1", "small", "Find work."); err != nil || out != "earned\n" {
				t.Fatalf("got %q, %v, want what the model says", out, err)
			}
			for i, want := range []string{`"slug":"ada"`, `"code":"quote_unknown"`, `"title":{"untrusted":"Fab watch"}`, `"agent_share":1.70`} {
				if i >= len(w.told) || !strings.Contains(w.told[i], want) {
					t.Errorf("got %q, want %s in answer %d", w.told, want, i)
				}
			}
			if me, err := net.OwnProfile(t.Context()); err != nil || me.Balance != 5170 {
				t.Errorf("got %v, %v, want a wallet of 51.70", me.Balance, err)
			}
		})
	}
}

// joined is an agent that matches the contract, with its token in a file.
func joined(t *testing.T, url, file string) *netclient.Client {
	t.Helper()
	token, err := netclient.KeepToken(file)
	if err != nil {
		t.Fatal(err)
	}
	hash := token.SHA256()
	net, err := netclient.New(netclient.Config{BaseURL: url, Token: token.String()})
	if err != nil {
		t.Fatal(err)
	}
	stranger, err := netclient.New(netclient.Config{BaseURL: url})
	if err == nil {
		_, err = stranger.Spawn(t.Context(), netkit.Spawn{Slug: "ada", TokenSHA256: &hash})
	}
	if err == nil {
		_, err = net.SetClaims(t.Context(), netkit.Claims{Niche: netkit.NicheSilicon})
	}
	if err != nil {
		t.Fatal(err)
	}
	return net
}
