package main

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// image is the last stage of the Dockerfile.
type image struct {
	all, stage []instruction
	env        map[string]string
}

type instruction struct{ name, rest string }

func readDockerfile(t *testing.T) (f image) {
	t.Helper()
	text, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	f.env = map[string]string{}
	for line := range strings.Lines(strings.ReplaceAll(string(text), "\\\n", " ")) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name == "" || strings.HasPrefix(name, "#") {
			continue
		}
		in := instruction{name, strings.TrimSpace(rest)}
		if f.all = append(f.all, in); name == "FROM" {
			f.stage, f.env = nil, map[string]string{}
		}
		f.stage = append(f.stage, in)
		if name != "ENV" {
			continue
		}
		for word := range strings.FieldsSeq(rest) {
			key, value, _ := strings.Cut(word, "=")
			f.env[key] = value
		}
	}
	return f
}

// find returns the rest of the only instruction of a name.
func (f *image) find(t *testing.T, name string) string {
	t.Helper()
	i := slices.IndexFunc(f.stage, func(in instruction) bool { return in.name == name })
	if i < 0 {
		t.Fatalf("the image has no %s", name)
	}
	return f.stage[i].rest
}

// command returns the words of an instruction that runs something.
func (f *image) command(t *testing.T, name string) (words []string) {
	t.Helper()
	rest := f.find(t, name)
	if err := json.Unmarshal([]byte(rest[strings.Index(rest, "["):]), &words); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return words
}

// The image holds one static program, is run by a user without rights, writes in its
// volume only, and has only commands and settings of netctl.
func TestDockerfile(t *testing.T) {
	f := readDockerfile(t)
	if from := f.find(t, "FROM"); from != "scratch" {
		t.Errorf("got %q, want nothing beside the program", from)
	}
	if user := f.find(t, "USER"); !regexp.MustCompile(`^[1-9]\d*:[1-9]\d*$`).MatchString(user) {
		t.Errorf("got the user %q, want the number of one without rights", user)
	}
	if i := slices.IndexFunc(f.all, func(in instruction) bool { return strings.Contains(in.rest, "go build") }); i < 0 || !strings.Contains(f.all[i].rest, "CGO_ENABLED=0") || !strings.Contains(f.all[i].rest, "./cmd/netctl") {
		t.Error("the program is not built static")
	}
	volume := f.find(t, "VOLUME")
	for _, name := range []string{"TMPDIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "NETCTL_DATA"} {
		if !strings.HasPrefix(f.env[name], volume+"/") {
			t.Errorf("%s: got %q, want it in %s", name, f.env[name], volume)
		}
	}
	program := f.command(t, "ENTRYPOINT")[0]
	understands(t, f.command(t, "CMD"))
	health := f.command(t, "HEALTHCHECK")
	if health[0] != program {
		t.Errorf("the health check runs %q, and the image holds %q", health[0], program)
	}
	understands(t, health[1:])
	for name, value := range f.env {
		i := slices.IndexFunc(settingKeys, func(k setting) bool { return k.env() == name })
		switch {
		case !strings.HasPrefix(name, "NETCTL_"):
		case i < 0:
			t.Errorf("%s is no setting", name)
		case settingKeys[i].check != nil && settingKeys[i].check(value) != nil:
			t.Errorf("%s=%s: %v", name, value, settingKeys[i].check(value))
		}
	}
	for port := range strings.FieldsSeq(f.find(t, "EXPOSE")) {
		if !strings.HasSuffix(f.env["NETCTL_SERVE_ADDR"], ":"+port) && !strings.HasSuffix(f.env["NETCTL_SERVE_INTENT_ADDR"], ":"+port) {
			t.Errorf("nothing listens at port %s", port)
		}
	}
	if f.env["NETCTL_SERVE_MONITOR_ADDR"] == "" {
		t.Error("the health check has no address")
	}
}

// understands wants words to be a command of netctl with its flags and arguments.
func understands(t *testing.T, words []string) {
	t.Helper()
	cmd, rest, err := (&app{}).root().Find(words)
	if err == nil && (!cmd.Runnable() || !cmd.HasParent()) {
		err = cobra.NoArgs(cmd, words)
	}
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err == nil {
		err = cmd.ValidateArgs(cmd.Flags().Args())
	}
	if err != nil {
		t.Errorf("%v: %v", words, err)
	}
}
