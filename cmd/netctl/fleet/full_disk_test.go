//go:build linux

package fleet

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netkittest"
)

// A server starts on a full disk, after a clean stop as after a crash: reads go
// on, writes are refused as disk_full, and go on by themselves once there is
// room. server.json follows then.
func TestServeOnAFullDisk(t *testing.T) {
	for name, sig := range map[string]os.Signal{"stopped": os.Interrupt, "killed": os.Kill} {
		t.Run(name, func(t *testing.T) {
			disk := SmallDisk(t, "2m")
			v := &Server{T: t, Dir: filepath.Join(disk, "net"), Addr: FreeAddress(t), Flags: []string{"--space-floor", "0"}}
			v.Start()
			v.Spawn("ada")
			v.Signal(sig)
			_ = v.Wait()
			filler := Fill(t, disk)
			v.StartAfter("true")
			for range 3 {
				if status, code := v.TrySpawn("bob"); status != http.StatusServiceUnavailable || code != "disk_full" {
					t.Errorf("on a full disk: got %d %s, want 503 disk_full", status, code)
				}
			}
			if h := v.Health(); h.Writing || h.Entries != 2 {
				t.Errorf("got %+v, want 2 entries and no writing", h)
			}
			if err := os.Remove(filler); err != nil {
				t.Fatal(err)
			}
			netkittest.Until(t, "writing again", func() bool { return writes(v) })
			v.Spawn("bob")
			netkittest.Until(t, "server.json", func() bool { return v.answers() })
			v.Stop()
		})
	}
}

// writes reports whether the server says that it writes. An answer that it is
// asked too often says nothing.
func writes(v *Server) bool {
	resp, err := http.Get(v.URL + "/api/health")
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	var h netkit.Health
	return json.NewDecoder(resp.Body).Decode(&h) == nil && h.Writing
}
