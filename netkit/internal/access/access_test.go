package access

import (
	"testing"

	"github.com/agentnet/netctl/netkit/internal/wire"
)

func hash(b byte) [16]byte { return [16]byte{b} }

// A key whose first use was not forgotten in time, since the entry that would
// have done so lost its private part, stands for its latest use alone.
func TestForgettingAFormerUseKeepsTheLatest(t *testing.T) {
	x := newKeys()
	x.Keep(Key{hash(1), 0}, Use{Seq: 1})
	x.Keep(Key{hash(2), keySpan - 1}, Use{Seq: 2})
	x.Keep(Key{hash(1), keySpan}, Use{Seq: 3})
	if use, ok := x.Find(hash(1)); !ok || use.Seq != 3 {
		t.Errorf("after the first use's time: got entry %d, %v, want 3", use.Seq, ok)
	}
	x.Keep(Key{hash(2), keySpan + 1}, Use{Seq: 4}) // its time is not up yet
	x.Forget(2*keySpan - 1)
	if use, ok := x.Find(hash(2)); !ok || use.Seq != 4 {
		t.Errorf("after the second key's first time: got entry %d, %v, want 4", use.Seq, ok)
	}
	x.Forget(2*keySpan + 1)
	if _, ok := x.Find(hash(2)); ok {
		t.Error("a key outlived its day")
	}
}

func TestKeysRollBack(t *testing.T) {
	x := newKeys()
	x.Keep(Key{hash(1), 0}, Use{Seq: 1})
	x.Commit()
	x.Keep(Key{hash(1), 5}, Use{Seq: 2})
	x.Restore(Key{hash(3), 1}, Use{Seq: 1}, 5)
	x.Forget(keySpan + 5)
	x.Rollback()
	if use, ok := x.Find(hash(1)); !ok || use.Seq != 1 {
		t.Errorf("got entry %d, %v, want 1", use.Seq, ok)
	}
	if _, ok := x.Find(hash(3)); ok {
		t.Error("a key stayed that was restored in a lost batch")
	}
}

func TestTokens(t *testing.T) {
	x := New[string]()
	h := [32]byte{9}
	x.Tokens.Grant(1, "ada", Grant[string]{Hash: h, Limit: SpendCap{Set: true, Max: 500}})
	x.Tokens.Grant(2, "eve", Grant[string]{Hash: h})
	x.Tokens.Spend(1, 200)
	if row, ok := x.Tokens.ByHash(h); !ok || row.Owner != "ada" || row.Spent != 200 {
		t.Errorf("got %+v, %v, want ada's with 200 spent", row, ok)
	}
	x.ForgetEntry(1)
	if _, ok := x.Tokens.ByID(1); ok || x.Tokens.Ended() != 1 {
		t.Errorf("got a token, %d ended; want none, 1", x.Tokens.Ended())
	}
}

// What is stored is what is read back, byte for byte.
func TestStored(t *testing.T) {
	x := New[string]()
	x.Tokens.Grant(1, "ada", Grant[string]{Hash: [32]byte{1}, Scopes: []string{"read"}, Expires: 7, Limit: SpendCap{Set: true}})
	x.Hooks.Put("ada", Hook{Address: "https://example.org", Types: "notice", Seq: 4, Stopped: true, Secret: "whsec_b", Former: []FormerSecret{{"whsec_a", 9}}, Signed: 4, Since: 2})
	x.Record(8, Positions{Front: 7, Behind: []Position{{"ada", 5}, {"bea", 0}}})
	x.Keys.Keep(Key{hash(1), 1}, Use{Seq: 3, Print: hash(8)})
	x.Unpaid.Turn(3)
	x.Unpaid.Count("ada")
	want := string(x.Stored())
	y := New[string]()
	c := wire.Reader([]byte(want))
	c.Begin()
	y.Fields(&c)
	c.End()
	if err := c.Done(); err != nil {
		t.Fatal(err)
	}
	if got := string(y.Stored()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSources(t *testing.T) {
	var s Sources
	for i, c := range []struct {
		date int32
		want int
		ok   bool
	}{{1, 2, true}, {1, 1, true}, {1, 1, false}, {2, 3, true}} {
		if got := s.Take(c.date, "10.0.0.1", c.want, 3); got != c.ok {
			t.Errorf("step %d: got %v, want %v", i, got, c.ok)
		}
	}
}
