package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/agentnet/netctl/cmd/netctl/demo"
	"github.com/agentnet/netctl/netkit/netkittest"
)

// document returns a file of the project and its fenced blocks of one language.
func document(t *testing.T, path, language string) (text string, blocks []string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	text = string(b)
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(text, -1) {
		blocks = append(blocks, m[1])
	}
	return text, blocks
}

// needs skips a test by name where a program is missing, or fails it where
// everything has to be there.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			if os.Getenv("NETKIT_REQUIRE_ALL") == "1" {
				t.Fatalf("%s is missing and NETKIT_REQUIRE_ALL is set", p)
			}
			t.Skipf("%s is missing", p)
		}
	}
}

// What the README shows of the demo is what the demo prints.
func TestReadmeShowsTheDemo(t *testing.T) {
	_, blocks := document(t, "README.md", "text")
	var out bytes.Buffer
	if err := demo.Run(t.Context(), demo.Config{Out: &out}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(blocks[0]) {
		if line = strings.TrimSpace(line); !strings.Contains(out.String(), line) {
			t.Errorf("the demo does not print %q", line)
		}
	}
}

// A stranger follows the README on a new network. Every line of its block works.
func TestReadmeTutorial(t *testing.T) {
	needs(t, "bash")
	text, blocks := document(t, "README.md", "sh")
	if len(blocks) != 1 || len(text) > 8<<10 {
		t.Fatalf("got %d sh blocks and %d bytes, want one block and at most 8 KB", len(blocks), len(text))
	}
	dir := t.TempDir()
	url, token := serveForReadme(t, dir)
	runBlock(t, dir, url, token, blocks[0])
}

// Both blocks of the document on every operation work in order on a new network.
// Together with its table they name every operation.
func TestEveryOperation(t *testing.T) {
	needs(t, "bash", "curl")
	text, blocks := document(t, "examples/every-operation.md", "sh")
	if len(blocks) != 2 {
		t.Fatalf("got %d sh blocks, want one with netctl and one with curl", len(blocks))
	}
	dir := t.TempDir()
	url, token := serveForReadme(t, dir)
	everyOperation(t, url, text)
	for _, block := range blocks {
		runBlock(t, dir, url, token, block)
	}
}

// runBlock runs a block of a document as a shell does, and stops at the first line
// that fails.
func runBlock(t *testing.T, dir, url, token, block string) {
	t.Helper()
	script := "set -eo pipefail; shopt -s expand_aliases; trap 'echo \"FAILED: $BASH_COMMAND\" >&2' ERR\n" + block
	cmd := exec.CommandContext(t.Context(), "bash", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NET="+url, "OP="+token, "HOOK=https://localhost/hook", "XDG_CONFIG_HOME="+filepath.Join(dir, "config"), "XDG_STATE_HOME="+filepath.Join(dir, "state"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, tail(out, 2000))
	}
}

func tail(b []byte, n int) []byte { return b[max(0, len(b)-n):] }

// serveForReadme builds netctl into dir, serves a new network there and
// returns its address and the operator's token.
func serveForReadme(t *testing.T, dir string) (url, token string) {
	t.Helper()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "netctl"), ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	examples, err := filepath.Abs("../../examples")
	if err == nil {
		err = os.Symlink(examples, filepath.Join(dir, "examples"))
	}
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(dir, "serve.err"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	said := func() []byte { b, _ := os.ReadFile(log.Name()); return b }
	cmd := exec.Command("./netctl", "serve", "--data", "./net", "--addr", "127.0.0.1:0", "--intent-addr", "127.0.0.1:0", "--log-file", "log")
	cmd.Dir, cmd.Stderr = dir, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			t.Errorf("serve ended with %v\n%s", err, said())
		}
	})
	var r running
	netkittest.Until(t, "serve", func() bool {
		b, err := os.ReadFile(filepath.Join(dir, "net", "server.json"))
		return err == nil && json.Unmarshal(b, &r) == nil && r.URL != ""
	})
	kept, err := os.ReadFile(filepath.Join(dir, "net", "operator.token"))
	if err != nil {
		t.Fatal(err)
	}
	return r.URL, strings.TrimSpace(string(kept))
}

// everyOperation checks that the text names each path of the interface.
func everyOperation(t *testing.T, url, text string) {
	t.Helper()
	resp, err := http.Get(url + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	var doc struct{ Paths map[string]any }
	if err == nil {
		err = json.Unmarshal(b, &doc)
	}
	if err != nil || len(doc.Paths) < 40 {
		t.Fatalf("got %d paths, %v; want the whole interface", len(doc.Paths), err)
	}
	for path := range doc.Paths {
		// A parameter stands as its name in the table and as a value in a block.
		form := regexp.MustCompile(`\\\{[a-z]+\\\}`).ReplaceAllString(regexp.QuoteMeta(path), `[^/ "'?`+"`"+`]+`)
		if !regexp.MustCompile(form + `([ "'?\n` + "`" + `)]|$)`).MatchString(text) {
			t.Errorf("the document does not show %s", path)
		}
	}
}
