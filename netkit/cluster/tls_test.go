package cluster

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/raft"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
	"github.com/agentnet/netctl/netkit/replica"
)

// crash ends a node without a word to the others.
func (p *place) crash(t testing.TB) {
	t.Helper()
	_ = p.node.raft.Shutdown().Error()
	p.stop(t)
}

// write appends records through a node, as its replica.Store does, and returns the
// head.
func (p *place) write(t testing.TB, n int) journal.Head {
	t.Helper()
	var s *replica.Store
	until(t, p.name+" reads the cluster", func() bool {
		var err error
		s, err = replica.Open(t.Context(), replica.Config{Engine: p.node, Folder: p.node.Folder()})
		return err == nil
	})
	at, err := p.store.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b := journal.Batch{Records: journaltest.Records(at.Size, n)}
	var tree *journal.Tree
	if tree, err = journal.OpenTree(t.Context(), p.store, at.Size); err != nil {
		t.Fatal(err)
	}
	for _, r := range b.Records {
		b.Nodes = tree.Append(journal.Leaf(r.Public), b.Nodes)
	}
	var head journal.Head
	until(t, "an append through "+p.name, func() bool {
		head, err = s.Append(t.Context(), at, b)
		return !errors.Is(err, journal.ErrDoubtful) && !errors.Is(err, ErrNoLeader)
	})
	if err != nil {
		t.Fatalf("appending through %s: %v", p.name, err)
	}
	return head
}

func TestLossOfTheLeader(t *testing.T) {
	t.Parallel()
	nodes := three(t)
	follower := join(t, nodes[0], "d", true)
	for _, p := range append(nodes, follower) {
		p.write(t, 3)
	}
	lead, others := leader(t, nodes)
	lead.crash(t)
	if head := others[0].write(t, 2); head.Size != 14 {
		t.Errorf("got %d entries, want 14", head.Size)
	}
	next, _ := leader(t, others)
	lead.start(t)
	expectAlike(t, append(nodes, follower)...)

	to := others[0]
	if to == next {
		to = others[1]
	}
	until(t, "a transfer", func() bool { return next.node.Transfer(t.Context(), to.name) == nil })
	until(t, to.name+" leads", func() bool { return to.node.Status(t.Context()).Leader == to.name })
	if err := to.node.Transfer(t.Context(), "d"); err == nil || !strings.Contains(err.Error(), "no vote") {
		t.Errorf("a transfer to a follower: got %v", err)
	}
	if got := to.node.Limits().Acknowledged; got != "synced by 2 of 3 nodes" {
		t.Errorf("got %q", got)
	}

	if err := to.node.Remove(t.Context(), "d"); err != nil {
		t.Fatal(err)
	}
	if _, err := follower.node.Head(t.Context()); err == nil {
		t.Error("a node that was removed is answered")
	}
	follower.crash(t)
	expectAlike(t, nodes...)
}

// A node that was away for longer than the log reaches back copies what it lacks from
// the folder of another one.
func TestLaggingNode(t *testing.T) {
	t.Parallel()
	nodes := three(t)
	lead, others := leader(t, nodes)
	away := others[0]
	away.write(t, 5)
	away.crash(t)
	for range 4 {
		others[1].write(t, 10)
	}
	for _, p := range []*place{lead, others[1]} {
		if err := p.node.cutBehind(true); err != nil {
			t.Fatal(err)
		}
		if first, _ := p.node.log.FirstIndex(); first != 0 && first < 4 {
			t.Errorf("the log of %s still begins at %d", p.name, first)
		}
	}
	away.start(t)
	if head := expectAlike(t, nodes...); head.Size != 45 {
		t.Errorf("got %d entries, want 45", head.Size)
	}
	want := journaltest.Records(0, 45)
	got := journaltest.ReadAll(t, away.store, 0, 45)
	for i := range want {
		if string(got[i].Private) != string(want[i].Private) {
			t.Errorf("entry %d of the node that was away has the private part %q, want %q", i, got[i].Private, want[i].Private)
		}
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	a := begin(t, "a")
	token, err := a.node.Invite(t.Context(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	try := func(token, name, address string) error {
		return Join(t.Context(), Joining{Dir: newPlace(t, name).dir, Token: token, Name: name, Address: address, Follower: true})
	}
	if err := try(token, "a", freeAddress(t)); err == nil || !strings.Contains(err.Error(), "member already") {
		t.Errorf("a name that is taken: got %v", err)
	}
	if err := try(token, "b", "127.0.0.1:40000"); err == nil || !strings.Contains(err.Error(), "32767") {
		t.Errorf("a high port: got %v", err)
	}
	if err := try(token, "b", freeAddress(t)); err != nil {
		t.Fatal(err)
	}
	if err := try(token, "c", freeAddress(t)); !errors.Is(err, errToken) {
		t.Errorf("a token that was used: got %v, want %v", err, errToken)
	}
	short, err := a.node.Invite(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := try(short, "c", freeAddress(t)); !errors.Is(err, errToken) {
		t.Errorf("a token that has expired: got %v, want %v", err, errToken)
	}
	a.openedTwice(t)
}

// openedTwice checks that a cluster begins once.
func (p *place) openedTwice(t *testing.T) {
	t.Helper()
	if err := Init(t.Context(), p.dir, p.store, "a", p.address); err == nil || !strings.Contains(err.Error(), "begins once") {
		t.Errorf("a second beginning: got %v", err)
	}
}

// A node of another cluster is refused on both sides, and so is one without a
// certificate.
func TestOtherClusters(t *testing.T) {
	t.Parallel()
	a, x := begin(t, "a"), begin(t, "x")
	token, err := a.node.Invite(t.Context(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	other, err := parseToken(token)
	if err != nil {
		t.Fatal(err)
	}
	other.Address = x.address
	if err := Join(t.Context(), Joining{Dir: newPlace(t, "b").dir, Token: other.String(), Name: "b", Address: freeAddress(t)}); !errors.Is(err, errOther) {
		t.Errorf("joining the other cluster: got %v, want %v", err, errOther)
	}
	if _, err := x.node.caller.call(t.Context(), raft.ServerAddress(a.address), callStatus, nil); err == nil {
		t.Error("a call of a node of another cluster is answered")
	}
	if _, err := (stream{x.node.port}).Dial(raft.ServerAddress(a.address), 5*time.Second); err == nil {
		t.Error("a node of another cluster is connected to")
	}
	bare := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true, NextProtos: []string{protocolHTTP}}}}
	reply, err := bare.Get("https://" + a.address + "/batches?from=0")
	if err != nil {
		t.Fatal(err)
	}
	reply.Body.Close()
	if reply.StatusCode != http.StatusForbidden {
		t.Errorf("a call without a certificate: got %s", reply.Status)
	}
	// Raft's protocol wants a certificate in the handshake.
	c, err := tls.Dial("tcp", a.address, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{protocolRaft}})
	if err == nil {
		defer c.Close()
		if err := c.SetDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		_, err = c.Read(make([]byte, 1))
	}
	if err == nil || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("raft without a certificate: got %v, want the end of the connection", err)
	}
}
