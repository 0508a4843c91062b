package cluster

import (
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/raft"

	"github.com/agentnet/netctl/netkit/journal"
)

// later sends calls as the next version of the program would.
type later struct{ http.RoundTripper }

func (l later) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set(headerVersion, strconv.Itoa(version+1))
	return l.RoundTripper.RoundTrip(r)
}

// A node refuses the calls of another version, and names both. A join is refused before
// its token is spent.
func TestOtherVersionsAreRefused(t *testing.T) {
	t.Parallel()
	a := begin(t, "a")
	token, err := a.node.Invite(t.Context(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	m, k, err := loadMember(a.dir)
	if err != nil {
		t.Fatal(err)
	}
	newer := newCaller(m, k)
	newer.client.Transport = later{newer.client.Transport}
	_, err = newer.call(t.Context(), raft.ServerAddress(a.address), callStatus, nil)
	if !errors.Is(err, ErrVersion) || !strings.Contains(err.Error(), "the version "+strconv.Itoa(version)) {
		t.Errorf("a call of the next version: got %v, want %v with both versions", err, ErrVersion)
	}
	for _, err := range newer.batches(t.Context(), raft.ServerAddress(a.address), 0) {
		if !errors.Is(err, ErrVersion) {
			t.Errorf("batches for the next version: got %v, want %v", err, ErrVersion)
		}
	}
	in, err := parseToken(token)
	if err != nil {
		t.Fatal(err)
	}
	client := in.client()
	client.Transport = later{client.Transport}
	p := newPlace(t, "b")
	if _, err := requestAdmission(t.Context(), client, a.address, callJoin, &admission{Secret: in.Secret, Name: p.name, Address: p.address}); !errors.Is(err, ErrVersion) {
		t.Errorf("a join of the next version: got %v, want %v", err, ErrVersion)
	}
	if err := Join(t.Context(), Joining{Dir: p.dir, Token: token, Name: p.name, Address: p.address, Keep: p.keepShared}); err != nil {
		t.Errorf("the same token with this version: got %v", err)
	}
}

// A node stops at an entry of a later version, since the others may have agreed on what it
// would leave out, and again after a restart.
func TestANewerEntryStopsTheNode(t *testing.T) {
	t.Parallel()
	for name, entry := range map[string]string{
		"kind":    "\x09later",
		"control": "\x02" + `{"later":{}}`,
		"field":   "\x02" + `{"spend":{"hash":"","now":1,"later":true}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := begin(t, "a")
			before := a.write(t, 3)
			if f := a.node.raft.Apply([]byte(entry), time.Minute); f.Error() == nil {
				if err, _ := f.Response().(error); !errors.Is(err, journal.ErrDoubtful) {
					t.Errorf("the answer to the entry: got %v, want %v", err, journal.ErrDoubtful)
				}
			}
			for range 2 {
				until(t, "the node stops", func() bool { return a.node.Err() != nil })
				if err := a.node.Err(); !errors.Is(err, journal.ErrNewer) {
					t.Errorf("got %v, want %v", err, journal.ErrNewer)
				}
				if head, err := a.store.Head(t.Context()); err != nil || head != before {
					t.Errorf("the folder ends at %v, %v, want %v", head, err, before)
				}
				a.stop(t)
				a.start(t)
			}
		})
	}
}

// A snapshot with a field of a later version is not read.
func TestANewerSnapshotIsRefused(t *testing.T) {
	var s map[string]any
	if err := json.Unmarshal(new(state).bytes(), &s); err != nil {
		t.Fatal(err)
	}
	s["later"] = true
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parseState(b); !errors.Is(err, journal.ErrNewer) {
		t.Errorf("got %v, want %v", err, journal.ErrNewer)
	}
}

// The forms of version 1 are read for good, since logs and other nodes hold them: one that
// changes here wants a new number of its entry or of the calls.
func TestFormsAreKept(t *testing.T) {
	b := journal.EngineBatch{SealedBatch: journal.SealedBatch{First: 1, Public: [][]byte{[]byte("p"), []byte("q")}, Sealed: [][]byte{nil, []byte("s")}}, Root: [32]byte{2}, Keys: []byte("k"), Erase: []uint64{7}}
	at := journal.Head{Size: 1, Tip: [32]byte{1}}
	zeros := strings.Repeat("\x00", 31)
	entry := "\x01\x01" + "\x01" + zeros + "\x02" + zeros + "\x02" + "\x01p\x00" + "\x01q\x02s" + "\x01k" + "\x01\x07"
	control := &control{Claim: &claim{Before: 1, Node: "n", Address: "a", Server: "s"}, Invite: &invite{"h", 2, 1}, Spend: &spend{"h", 1}, Retire: &retire{"to"}}
	s := state{Writer: writer{1, "n", "a", "s"}, Invites: map[string]int64{"h": 2}, Retired: &retire{"to"}}
	for _, test := range []struct{ name, got, want string }{
		{"batch", string(appendBatch(nil, at, &b)), entry},
		{"control", string(control.entry()), "\x02" + `{"claim":{"before":1,"node":"n","address":"a","server":"s"},"invite":{"hash":"h","expires":2,"now":1},"spend":{"hash":"h","now":1},"retire":{"to":"to"}}`},
		{"state", string(s.bytes()), `{"entries":0,"tip":"` + strings.Repeat("0", 64) + `","root":"` + strings.Repeat("0", 64) + `","writer":{"term":1,"node":"n","address":"a","server":"s"},"invites":{"h":2},"retired":{"to":"to"}}`},
		{"answer", string(encodeAnswer(1, nil)), `{"result":1}`},
		{"refusal", string(encodeAnswer(nil, journal.ErrClaimed)), `{"error":{"kind":"claimed","text":"` + journal.ErrClaimed.Error() + `"}}`},
	} {
		if test.got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, test.got, test.want)
		}
	}
	if gotAt, got, err := parseBatch([]byte(entry)); err != nil || gotAt != at || !reflect.DeepEqual(got, b) {
		t.Errorf("the batch: got %v %+v, %v, want %+v", gotAt, got, err, b)
	}
}
