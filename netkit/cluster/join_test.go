package cluster

import (
	"os"
	"strings"
	"testing"
	"time"
)

// A folder of another network, and one that cannot be written, is refused before the
// token is spent.
func TestJoinKeepsTheTokenOfARefusal(t *testing.T) {
	t.Parallel()
	a := begin(t, "a")
	token, err := a.node.Invite(t.Context(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	p := newPlace(t, "b")
	join := func(dir, key string) error {
		return Join(t.Context(), Joining{Dir: dir, Token: token, Name: p.name, Address: p.address, Keep: p.keepShared, Have: map[string][]byte{sharedFile: []byte(key)}})
	}
	file := p.dir + ".file"
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := join(file, "the key of all nodes"); err == nil {
		t.Error("a file in the place of the folder: got no error")
	}
	if err := join(p.dir, "another key"); err == nil || !strings.Contains(err.Error(), "another network") {
		t.Errorf("the key of another network: got %v, want it named", err)
	}
	if err := join(p.dir, "the key of all nodes"); err != nil {
		t.Errorf("the same token: got %v", err)
	}
	if err := join(newPlace(t, "c").dir, "the key of all nodes"); err == nil {
		t.Error("the token once more: got no error")
	}
}
