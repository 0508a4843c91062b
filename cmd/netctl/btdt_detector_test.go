package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// wobbleBook names somebody whom only a detector finds.
const wobbleBook = `{"title":"A bill","category":"utilities","sub_category":"bill","jurisdiction":"US","status":"RESOLVED","time_taken_days":3,
"outcome":"Paid.","steps":["They wrote to the wobblefern about it."]}`

// wobbleFinder is an /analyze server that finds the wobblefern.
func wobbleFinder(t *testing.T) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Text string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		if at := strings.Index(in.Text, "wobblefern"); at >= 0 {
			fmt.Fprintf(w, `[{"entity_type":"PERSON","start":%d,"end":%d,"score":0.9}]`, at, at+10)
			return
		}
		fmt.Fprint(w, "[]")
	}))
	t.Cleanup(server.Close)
	return server
}

func writeBook(t *testing.T, name, book string) string {
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(book), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// The detector of the settings is asked by every command that reads a playbook.
func TestDetectorOnCommandLine(t *testing.T) {
	s := newSession(t)
	s.terminal = false
	file := writeBook(t, "a.json", wobbleBook)
	s.must("btdt", "check", file)
	s.must("config", "set", "btdt.detector", wobbleFinder(t).URL)
	if code, _, talk := s.run("", "btdt", "check", file); code != 1 || !strings.Contains(talk, "steps[0] seems to hold a person's name") {
		t.Errorf("check: got %d, %s, want the name refused", code, talk)
	}
	if out := s.must("btdt", "scrub", file); strings.Contains(out, "wobblefern") || !strings.Contains(out, "[NAME_1]") {
		t.Errorf("scrub: got %s, want the name stripped", out)
	}
	if code, out, talk := s.run(wobbleBook, "btdt", "scrub", "-", "--explain"); code != 0 || strings.Contains(out, "wobblefern") || !strings.Contains(talk, "detector:127.0.0.1") {
		t.Errorf("standard input: got %d, %s, %s, want the name stripped and explained", code, out, talk)
	}
	if code, out, talk := s.run("", "btdt", "scrub", file, "--without-detector"); code != 0 || !strings.Contains(out, "wobblefern") || !strings.Contains(talk, "without 1 detector") {
		t.Errorf("without: got %d, %s, %s, want the name left and a notice", code, out, talk)
	}
	if out := s.must("btdt", "scrub", file, "--keep", "wobblefern"); !strings.Contains(out, "wobblefern") {
		t.Errorf("keep: got %s, want the author's decision to win", out)
	}
	s.must("init")
	s.must("agent", "spawn", "ada")
	if code, _, talk := s.run(wobbleBook, "--as", "ada", "btdt", "register", "-", "--yes"); code != 0 {
		t.Fatalf("register: got %d, %s", code, talk)
	}
	stored, err := filepath.Glob(filepath.Join(s.dir, "config", "netctl", "playbooks", "*.json"))
	if err != nil || len(stored) != 1 || !fileHolds(stored[0], "[NAME_1]") {
		t.Errorf("register: got %v, %v, want a stripped file", stored, err)
	}
	gold := `{"id":"1","lang":"en","playbook":` + strings.ReplaceAll(wobbleBook, "\n", "") + `,"gold":[{"path":"steps[0]","start":18,"end":28,"type":"NAME"}],"keep":[]}`
	if code, out, talk := s.run(gold, "btdt", "eval", "-"); code != 0 || !strings.Contains(out, "NAME         1       100.0") {
		t.Errorf("eval: got %d, %s, %s, want the name covered", code, out, talk)
	}
}

// A detector that does not answer fails the command, and nothing is written or sent.
func TestDetectorFailsCommand(t *testing.T) {
	s := newSession(t)
	s.terminal = false
	file := writeBook(t, "a.json", wobbleBook)
	server := wobbleFinder(t)
	server.Close()
	for _, name := range []string{server.URL, "exit 3"} {
		for _, verb := range [][]string{{"check"}, {"scrub", "--write"}, {"review"}} {
			args := append(append([]string{"btdt"}, verb...), file, "--detector", name)
			if code, out, talk := s.run("", args...); code == 0 || out != "" || !strings.Contains(talk, "--without-detector") || strings.Contains(talk, "wobblefern") {
				t.Errorf("%v: got %d, %s, %s, want a failure that names the way without", args, code, out, talk)
			}
		}
	}
	if _, err := os.Stat(besideName(file)); err == nil {
		t.Error("got a stripped file, want none")
	}
}

// The screens ask the same detectors.
func TestDetectorOnScreens(t *testing.T) {
	s := newSession(t)
	c := &call{app: s.app("", nil, nil), ctx: t.Context()}
	detect := detecting{named: []string{wobbleFinder(t).URL}}
	file := writeBook(t, "a.json", wobbleBook)
	for _, d := range detect.named {
		open, err := detect.openOne(c, d)
		if err != nil {
			t.Fatal(err)
		}
		detect.all = append(detect.all, open)
	}
	got, err := c.playbook(file, detect)
	if err != nil || got.Stripped != 1 || !fileHolds(got.File, "[NAME_1]") {
		t.Errorf("got %+v, %v, want one part stripped", got, err)
	}
}

// A model's tools ask them too, and what the model decided lies beside the stored file.
func TestDetectorForModel(t *testing.T) {
	l := liveIn(t)
	f := follow(t, "--data", l.Dir, "--as", "ada", "mcp", "--detector", wobbleFinder(t).URL)
	given := map[string]any{"playbook": json.RawMessage(wobbleBook)}
	var checked struct {
		Findings []string
		Playbook string
	}
	if code := f.ask("check_playbook", given, &checked); code != "" || len(checked.Findings) != 1 || strings.Contains(checked.Playbook, "wobblefern") {
		t.Errorf("got %q, %+v, want the name stripped", code, checked)
	}
	given["keep"], given["mark"] = []string{"wobblefern"}, []string{"about=OTHER_ID"}
	var registered map[string]any
	if code := f.ask("register_playbook", given, &registered); code != "" {
		t.Fatalf("got refusal %s", code)
	}
	file := fmt.Sprint(registered["file"])
	if !fileHolds(file, "wobblefern") || !fileHolds(decisionsName(file), `"wobblefern"`) || !fileHolds(decisionsName(file), `"about"`) {
		t.Errorf("got %s without the decisions beside it", file)
	}
	s := newSession(t)
	s.terminal = false
	s.must("btdt", "check", file, "--detector", wobbleFinder(t).URL)
}

// Another host needs a flag, https, and its name typed once on a terminal.
func TestRemoteDetectorIsAgreedTo(t *testing.T) {
	s := newSession(t)
	file := writeBook(t, "a.json", wobbleBook)
	const remote = "https://detector.invalid/analyze"
	scrub := func(typed string, args ...string) (int, string) {
		code, out, talk := s.run(typed, append([]string{"btdt", "scrub", file}, args...)...)
		if out != "" {
			t.Errorf("%q: got %s, want nothing stripped", args, out)
		}
		return code, talk
	}
	const notice = "the whole unscrubbed text is sent to detector.invalid"
	if code, talk := scrub("", "--detector", remote); code != exitUsage || !strings.Contains(talk, notice) || !strings.Contains(talk, "--detector-remote") {
		t.Errorf("got %d, %s, want a refusal", code, talk)
	}
	if code, talk := scrub("detector.invalid\n", "--detector", "http://detector.invalid", "--detector-remote"); code != exitUsage || !strings.Contains(talk, "https") {
		t.Errorf("got %d, %s, want a refusal of plain http", code, talk)
	}
	for _, typed := range []string{"", "y\n", "yes\n"} {
		if code, talk := scrub(typed, "--detector", remote, "--detector-remote", "--yes"); code == 0 || !strings.Contains(talk, notice) || !strings.Contains(talk, "was not typed") {
			t.Errorf("%q: got %d, %s, want it not agreed to", typed, code, talk)
		}
	}
	s.terminal = false
	if code, talk := scrub("detector.invalid\n", "--detector", remote, "--detector-remote", "--yes"); code != exitUsage || !strings.Contains(talk, "on a terminal") {
		t.Errorf("got %d, %s, want a refusal without a terminal", code, talk)
	}
	agreed := filepath.Join(s.dir, "config", "netctl", consentFile)
	if _, err := os.Stat(agreed); err == nil {
		t.Error("got a consent that was not given")
	}
	s.terminal = true
	if code, talk := scrub("detector.invalid\n", "--detector", remote, "--detector-remote"); code == 0 || !strings.Contains(talk, "failed on title") {
		t.Errorf("got %d, %s, want the host asked, which does not exist", code, talk)
	}
	s.terminal = false
	if code, talk := scrub("", "--detector", remote, "--detector-remote"); code == 0 || !strings.Contains(talk, "failed on title") {
		t.Errorf("got %d, %s, want the consent remembered", code, talk)
	}
	if code, talk := scrub("", "--detector", remote); code != exitUsage || !strings.Contains(talk, "--detector-remote") {
		t.Errorf("got %d, %s, want the flag needed each time", code, talk)
	}
	if st, err := os.Stat(agreed); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v, want a file of the user's own", st, err)
	}
}

// A program is a detector too.
func TestDetectorProgram(t *testing.T) {
	s := newSession(t)
	s.terminal = false
	file := writeBook(t, "a.json", wobbleBook)
	program := `while read -r line; do echo '[{"entity_type":"PERSON","text":"Wobblefern"},{"entity_type":"PERSON","text":"teapot"}]'; done`
	code, out, talk := s.run("", "btdt", "scrub", file, "--detector", program)
	if code != 0 || strings.Contains(out, "wobblefern") || !strings.Contains(talk, "quoted 7 parts that no text holds") {
		t.Errorf("got %d, %s, %s, want the quotation stripped and the others counted", code, out, talk)
	}
}

// The doctor asks the detector, and names where texts are sent.
func TestDoctorChecksDetector(t *testing.T) {
	s := newSession(t)
	s.terminal = false
	s.must("init")
	s.must("config", "set", "btdt.detector", wobbleFinder(t).URL)
	if _, out, _ := s.run("", "doctor", "-o", "json"); !strings.Contains(out, "gets the whole unscrubbed texts") {
		t.Errorf("got %s, want the detector checked", out)
	}
	s.must("config", "set", "btdt.detector", "exit 3")
	if code, out, _ := s.run("", "doctor", "-o", "json"); code == 0 || !strings.Contains(out, "--without-detector") {
		t.Errorf("got %d, %s, want a problem", code, out)
	}
	s.must("config", "set", "btdt.detector", "https://detector.invalid")
	if _, out, _ := s.run("", "doctor", "-o", "json"); !strings.Contains(out, "is sent to detector.invalid, once you agree") {
		t.Errorf("got %s, want the host named", out)
	}
}
