package hooks

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// madeFile returns the bytes of a file of webhooks in which ada and many others have
// one, on a network of its own.
func madeFile(t *testing.T) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "webhooks.db")
	play(t, Config{File: file}, func(t *testing.T, f *fixture) {
		f.spawn("ada")
		f.sets("ada", netkit.EventDispatch)
		for _, slug := range []string{"abe", "amy", "ann", "art", "bea", "ben", "bob", "cal", "cleo", "dan", "eve", "fay", "gus", "hal", "ida", "jan", "kim", "leo", "mia", "ned"} {
			f.spawn(slug)
			f.sets(slug)
		}
		f.passes(time.Second)
	})
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A file that is damaged, or of another network, is named at the start and left as
// it is. Nothing is sent by it.
func TestUnsoundFileIsNamedAndKept(t *testing.T) {
	whole := madeFile(t)
	for name, b := range map[string][]byte{
		"truncated":       whole[:len(whole)*2/3],
		"to a page":       whole[:4096],
		"to half a page":  whole[:2048],
		"no database":     bytes.Repeat([]byte("x"), len(whole)),
		"another network": whole,
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			file := filepath.Join(t.TempDir(), "webhooks.db")
			play(t, Config{File: file, Logger: slog.New(slog.NewTextHandler(&log, nil))}, func(t *testing.T, f *fixture) {
				f.spawn("ada")
				f.sets("ada", netkit.EventDispatch)
				f.stops()
				if err := os.WriteFile(file, b, 0o600); err != nil {
					t.Fatal(err)
				}
				f.starts()
				f.publish("news")
				f.passes(time.Minute)
				if got := f.of("ada.test"); len(got) != 0 {
					t.Errorf("got %d deliveries", len(got))
				}
				if v, err := f.h.View("ada"); err == nil {
					t.Errorf("got state %s and no error from an unsound file", v.State)
				}
				if err := f.h.Set("ada", "192.0.2.1"); err == nil {
					t.Error("got no error from an unsound file")
				}
				if got := log.String(); !strings.Contains(got, file) {
					t.Errorf("got %q, want %s named", got, file)
				}
				if kept, err := os.ReadFile(file); err != nil || !bytes.Equal(kept, b) {
					t.Errorf("the file was changed, %v", err)
				}
			})
		})
	}
}
