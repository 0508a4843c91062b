package detector

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/btdt"
)

var _ btdt.Detector = (*Command)(nil)

// actAs makes the test program a detector of a kind.
const actAs = "NETCTL_TEST_DETECTOR"

func TestMain(m *testing.M) {
	if kind := os.Getenv(actAs); kind != "" {
		detect(kind)
		return
	}
	os.Exit(m.Run())
}

func detect(kind string) {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var in struct{ Path, Text, Language string }
		if json.Unmarshal(lines.Bytes(), &in) != nil || in.Path == "" || in.Language == "" {
			os.Exit(1)
		}
		switch kind {
		case "quotes":
			fmt.Println(`[{"entity_type":"PERSON","text":"WOBBLEFERN"},{"entity_type":"PERSON","text":"somebody else"}]`)
		case "endless":
			for {
				fmt.Print(strings.Repeat(" ", 1<<16))
			}
		case "ends":
			return
		case "delay":
			time.Sleep(time.Hour)
		case "offsets":
			fmt.Println(`[{"entity_type":"PERSON","start":0,"end":1000,"score":1}]`)
		}
	}
}

func command(t *testing.T, kind string) *Command {
	t.Setenv(actAs, kind)
	d := NewCommand("'"+os.Args[0]+"'", os.Stderr)
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// A program may quote: every place of a quotation counts, and one that a text does not
// hold is dropped and counted. Without a score a finding is a question.
func TestCommandQuotes(t *testing.T) {
	d := command(t, "quotes")
	found, err := d.Detect(t.Context(), "steps[0]", "🙂 Wobblefern and wobblefern's wobbleferns", "en")
	if err != nil || len(found) != 2 || found[0].Start != 2 || found[0].End != 12 || found[1].Start != 17 || found[0].Score != 0.5 || found[0].Type != btdt.TypeName {
		t.Fatalf("got %+v, %v, want two places of the name", found, err)
	}
	if found, err = d.Detect(t.Context(), "steps[1]", "Nobody\nis here.", "en"); err != nil || len(found) > 0 {
		t.Errorf("got %+v, %v, want nothing", found, err)
	}
	if d.Missed() != 3 {
		t.Errorf("got %d quotations missed, want 3", d.Missed())
	}
	r, err := (&btdt.Scrubber{Detectors: []btdt.Detector{d}}).Scrub(t.Context(), book)
	if err != nil || strings.Contains(r.Playbook.Steps[0], "wobblefern") || len(r.Questions(book)) != 1 {
		t.Errorf("got %+v, %v, want the name masked and asked about", r, err)
	}
}

func TestHostileCommand(t *testing.T) {
	for kind, want := range map[string]string{"endless": errLongAnswer.Error(), "ends": "ended without an answer", "delay": "did not answer within", "offsets": errBadOffsets.Error()} {
		t.Run(kind, func(t *testing.T) {
			d := command(t, kind)
			if kind == "delay" {
				d.startTime, d.answerTime = 0, 50*time.Millisecond
			}
			_, err := d.Detect(t.Context(), "steps[0]", "a text", "en")
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Fatalf("got %v, want %s", err, want)
			}
			if kind == "delay" {
				if _, again := d.Detect(t.Context(), "steps[1]", "another", "en"); again == nil {
					t.Error("got an answer after a late one, want an error: it would be that of another text")
				}
			}
		})
	}
	if _, err := NewCommand("exit 3", nil).Detect(t.Context(), "title", "a", "en"); err == nil {
		t.Error("got no error of a program that ends at once")
	}
}
