package hooks

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// A webhook whose file was lost is delivered to from the start on, and the log names
// it; its secret is in the journal.
func TestLostFile(t *testing.T) {
	var log bytes.Buffer
	file := filepath.Join(t.TempDir(), "webhooks.db")
	play(t, Config{File: file, Logger: slog.New(slog.NewTextHandler(&log, nil))}, func(t *testing.T, f *fixture) {
		f.spawn("ada")
		secret := f.sets("ada", netkit.EventDispatch)
		f.publish("one")
		f.passes(time.Second)
		f.stops()
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		f.publish("while the file is lost")
		if log.Len() > 0 {
			t.Errorf("got %s", &log)
		}
		f.of("ada.test")
		f.starts()
		f.passes(time.Second)
		if got := log.String(); !strings.Contains(got, file) || !strings.Contains(got, "ada") {
			t.Errorf("got %q, want the file and the owner named", got)
		}
		two := f.publish("two")
		f.passes(time.Second)
		got := f.of("ada.test")
		if !slices.Equal(entries(got, netkit.EventDispatch), []uint64{two}) || verify(t, secret, got[0]) != nil {
			t.Errorf("got %v, want %d, signed as before", entries(got, netkit.EventDispatch), two)
		}
	})
}
