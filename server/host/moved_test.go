package host

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netkittest"
)

// A network whose folder is taken away under it acknowledges nothing more, says
// so, and reads on.
func TestNetworkStopsWritingWithoutItsFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows keeps open files in place")
	}
	dir := filepath.Join(t.TempDir(), "net")
	alarms := make(chan error, 100)
	h, err := New(t.Context(), Config{Dir: dir, Genesis: &netkit.Genesis{Network: "test", OperatorToken: netkit.Token{1}}, Alarm: func(err error) { alarms <- err }})
	if err != nil {
		t.Fatal(err)
	}
	spawned(t, h, "a", 3)
	if err := os.Rename(dir, dir+".away"); err != nil {
		t.Fatal(err)
	}
	var r *netkit.Refusal
	if _, err := h.Network.As("").Spawn(t.Context(), netkit.Spawn{Slug: "late"}); !errors.As(err, &r) || r.Code != "journal_moved" || !errors.Is(err, netkit.ErrUnavailable) {
		t.Errorf("got %v, want journal_moved", err)
	}
	if got := h.Network.Health(); got.Writing || got.Entries != 4 {
		t.Errorf("got %+v, want 4 entries and no writing", got)
	}
	if len(alarms) == 0 {
		t.Error("got no alarm")
	}
	if _, err := h.Network.Entry(t.Context(), 3); err != nil {
		t.Errorf("reading: got %v", err)
	}
	if err := os.Rename(dir+".away", dir); err != nil {
		t.Fatal(err)
	}
	netkittest.Until(t, "writing again", func() bool {
		_, err := h.Network.As("").Spawn(t.Context(), netkit.Spawn{Slug: "late"})
		return err == nil
	})
	closeHost(t, h)
}
