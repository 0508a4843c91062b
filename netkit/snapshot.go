package netkit

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"

	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/journal"
)

// A snapshot is a line that names its form, the canonical form of the state,
// the second fold and the root of the tree over the entries that they were made
// of, a line each, then the SHA-256 of these and the seal: see snapshot_seal.go.
// It only shortens a start.

// snapshotForm is the first line. It changes with the form or the meaning of
// what follows: a snapshot of another form is passed over, not compared.
const snapshotForm = "netkit snapshot 8"

// fields carries the whole state in canonical form: tables in the order of
// their rows, maps in the order of their keys, nothing that can be derived.
func (s *state) fields(c *wire.Codec) {
	s.root.fields(c)
	document := s.law.JSON()
	c.Raw("constitution", &document)
	if c.Reading() {
		s.adopt(document)
	}
	rows(c, "central", &s.central)
	rows(c, "parties", &s.parties)
	rows(c, "extras", &s.extras)
	rows(c, "wallets", &s.wallets)
	rows(c, "payers", &s.payers)
	numberedRows(c, "contracts", &s.contracts, contractID)
	groupRows(c, "runs", &s.executed)
	pageRows(c, &s.shelves)
	groupRows(c, "accepted", &s.accepted)
	indexRows(c, "stopped", s.stopped.M, func(c *wire.Codec, agent *uint32, since *Millis) {
		wire.Num(c, "agent", agent)
		wire.Num(c, "since", since)
	})
	indexRows(c, "holds", s.holds.M, func(c *wire.Codec, agent *uint32, held *[]heldPay) {
		wire.Num(c, "agent", agent)
		wire.List(c, "held", held, object[heldPay])
	})
	indexRows(c, "returned", s.returned.M, takenBy)
	indexRows(c, "overturned", s.overturned.M, takenBy)
	indexRows(c, "escrows", s.escrows.M, func(c *wire.Codec, id *uint64, b *balance) {
		wire.Num(c, "id", id)
		b.fields(c)
	})
	indexRows(c, "erasures", s.erased.M, takenBy)
	references(c, "deposits", &s.deposits)
	references(c, "invited", &s.invited)
	numberedRows(c, "dispatches", &s.dispatches, dispatchID)
	s.feedPages(c)
	s.requestFields(c)
	rows(c, "playbooks", &s.playbooks)
	indexRows(c, "plants", s.plants.M, func(c *wire.Codec, id *int64, seq *uint64) {
		wire.Num(c, "id", id)
		wire.Num(c, "seq", seq)
	})
	rows(c, "agenda", &s.agenda)
	numberedRows(c, "admissions", &s.admissions, admissionID)
	numberedRows(c, "revocations", &s.revocations, revocationID)
	numberedRows(c, "cases", &s.cases, caseID)
	indexRows(c, "rogues", s.rogues.M, func(c *wire.Codec, agent *uint32, r *rogue) {
		wire.Num(c, "agent", agent)
		r.fields(c)
	})
	indexRows(c, "flags", s.flags.M, func(c *wire.Codec, agent *uint32, f *flagged) {
		wire.Num(c, "agent", agent)
		f.fields(c)
	})
	crisisRows(c, s)
	c.Member("market_clock", s.clock.fields)
	c.Member("amendment", s.amendment.fields)
	s.night.fields(c)
	s.treasury.carry(c)
}

func (r *root) fields(c *wire.Codec) {
	wire.Num(c, "next", &r.next)
	wire.Num(c, "at", &r.at)
	wire.Str(c, "network", &r.netID)
	wire.Str(c, "log_key", &r.logKey)
	wire.Num(c, "clearing", &r.clearing)
	wire.Amount(c, "uncleared_shares", &r.unclearedShares)
	wire.Num(c, "crises", &r.crises)
	wire.Num(c, "alarm", &r.alarm)
	wire.Num(c, "judged", &r.judged)
	wire.Num(c, "agents", &r.counts.Agents)
	wire.Num(c, "opened", &r.counts.Contracts)
	wire.Num(c, "executions", &r.counts.Executions)
	c.Member("exchange", r.exchange.fields)
}

// rows carries a table.
func rows[T any, P interface {
	*T
	fields(*wire.Codec)
}](c *wire.Codec, name string, t *undo.Table[T]) {
	if !c.Reading() {
		if t.Len() == 0 {
			return
		}
		c.Key(name)
		c.Lit('[')
		for i, row := range t.All() {
			if i > 0 {
				c.Lit(',')
			}
			object[T, P](c, row)
			yieldNow(i)
		}
		c.Lit(']')
		return
	}
	t.Reset()
	if !c.Has(name) {
		return
	}
	c.Lit('[')
	for more := c.Err() == nil; more; more = c.More() {
		var row T
		object[T, P](c, &row)
		yieldNow(t.Add(row))
	}
	c.Lit(']')
}

// numberedRows carries rows by number.
func numberedRows[T any, P interface {
	*T
	fields(*wire.Codec)
}](c *wire.Codec, name string, all *undo.Rows[T], number func(*T) uint64) {
	if !c.Reading() {
		if all.Len() == 0 {
			return
		}
		c.Key(name)
		c.Lit('[')
		first := true
		for _, row := range all.All() {
			if !first {
				c.Lit(',')
			}
			first = false
			object[T, P](c, row)
		}
		c.Lit(']')
		return
	}
	if !c.Has(name) {
		return
	}
	c.Lit('[')
	for more := c.Err() == nil; more; more = c.More() {
		var row T
		object[T, P](c, &row)
		all.Add(number(&row), row)
	}
	c.Lit(']')
}

// yieldNow lets whoever waits for the processor go first now and then: a
// snapshot is made and read beside commands, and is in no hurry.
func yieldNow(row uint32) {
	if row%yieldRows == 0 {
		runtime.Gosched()
	}
}

// yieldRows take some 0.1 ms.
const yieldRows = 256

func (p *party) fields(c *wire.Codec) {
	wire.Str(c, "slug", &p.slug)
	enum(c, "kind", &p.kind, partyKindNames)
	enum(c, "status", &p.status, statusNames)
	wire.Num(c, "since", &p.since)
	wire.Num(c, "seq", &p.seq)
	wire.Amount(c, "backing", &p.backing)
	wire.Num(c, "roles", &p.roles)
	wire.Num(c, "extra", &p.extra)
	p.agent.fields(c)
}

func (a *agentRow) fields(c *wire.Codec) {
	enum(c, "niche", &a.niche, nicheNames)
	wire.Num(c, "channels", &a.channels)
	c.Flag("accepts", &a.accepts)
	wire.Str(c, "provider", &a.provider)
	wire.Amount(c, "floor", &a.floor)
	wire.Num(c, "claims", &a.claims)
	c.Flag("confirmed", &a.confirmed)
	wire.Str(c, "accepted", &a.accepted)
	wire.Num(c, "transactions", &a.transactions)
	wire.List(c, "evidence", &a.evidence, object[evidence])
}

func (x *extra) fields(c *wire.Codec) {
	wire.List(c, "tokens", &x.tokens, wire.Number)
	wire.Str(c, "address", &x.address)
	c.Short("nonce", &x.nonce)
	wire.Num(c, "asked", &x.asked)
	wire.Amount(c, "granted", &x.granted)
	wire.List(c, "read", (*[]openedRun)(&x.read), object[openedRun])
	wire.List(c, "badges", &x.wall, object[held])
	wire.List(c, "notices", &x.notices, object[notice])
	wire.List(c, "answers", &x.answers, object[answer])
	wire.List(c, "verdicts", &x.verdicts, object[verdictRow])
	wire.List(c, "incidents", &x.incidents, object[incident])
	wire.Num(c, "reports", &x.reports)
	c.Member("bought", x.bought.fields)
	wire.List(c, "commitments", &x.commitments, object[commitment])
}

// indexRows carries a map as rows in the order of its keys, each with its fields.
// It writes to the map only when it restores one: a snapshot is made while
// others read.
func indexRows[K cmp.Ordered, V any](c *wire.Codec, name string, m map[K]V, fields func(*wire.Codec, *K, *V)) {
	type row struct {
		key   K
		value V
	}
	var all []row
	if !c.Reading() {
		for _, k := range sortedKeys(m) {
			all = append(all, row{k, m[k]})
		}
	}
	wire.List(c, name, &all, func(c *wire.Codec, r *row) {
		c.Begin()
		fields(c, &r.key, &r.value)
		c.End()
	})
	if c.Reading() {
		for _, r := range all {
			m[r.key] = r.value
		}
	}
}

// takenBy carries an entry, and the later one that took something from it: its
// private part, or what it paid.
func takenBy(c *wire.Codec, entry, by *uint64) {
	wire.Num(c, "entry", entry)
	wire.Num(c, "by", by)
}

// referenceRow is a reference that is used once, and the entry that used it.
type referenceRow struct {
	entry     uint64
	reference [16]byte
}

func (r *referenceRow) fields(c *wire.Codec) {
	wire.Num(c, "entry", &r.entry)
	c.Short("reference", &r.reference)
}

// references carries used references in the order of their entries.
func references(c *wire.Codec, name string, x *undo.Index[[16]byte, uint64]) {
	var all []referenceRow
	if !c.Reading() {
		for reference, entry := range x.M {
			all = append(all, referenceRow{entry, reference})
		}
		slices.SortFunc(all, func(a, b referenceRow) int { return cmp.Compare(a.entry, b.entry) })
	}
	wire.List(c, name, &all, object[referenceRow])
	if c.Reading() {
		for _, r := range all {
			x.M[r.reference] = r.entry
		}
	}
}

// canonical returns the state's canonical form.
func (s *state) canonical() []byte { return s.canonicalIn(nil) }

// canonicalIn is canonical with memory to begin with.
func (s *state) canonicalIn(b []byte) []byte {
	c := wire.Writer(b)
	c.Begin()
	s.fields(&c)
	c.End()
	return c.Bytes()
}

// derive fills in what follows from the tables.
func (s *state) derive() {
	for i, p := range s.parties.All() {
		s.slugs.M[p.slug] = i
		p.badges = activeOn(s.extra(p).wall)
		if p.agent.confirmed {
			s.confirmed.M[s.extra(p).address]++
			s.prove(i)
		}
		if p.roles&reviewer != 0 {
			s.reviewers.M[i] = struct{}{}
		}
		if p.kind == SponsorParty {
			s.sponsors.Add(i)
		}
	}
	for id, d := range s.dispatches.All() {
		s.lines[d.place().line].ids.add(id)
	}
	for _, id := range s.filed.ids {
		s.list(s.requests.M[id])
	}
	s.derivePlaybooks()
	for _, cs := range s.cases.All() {
		s.judged.M[cs.key()] = cs.id
		if cs.state == CaseDrawing {
			s.undrawn.M[cs.id] = cs.awaits
		}
		if len(cs.sealedVotes(false)) > 0 && !cs.state.decided() {
			s.sealed.M[cs.id] = struct{}{}
		}
	}
	s.commit()
	s.deadlines.rebuild(s)
}

var errBatchOpen = errors.New("netkit: a batch is under way, try again")

// Snapshot keeps the durable state for the next start. Writing waits meanwhile;
// a network that runs keeps snapshots by itself without that.
func (n *Network) Snapshot(ctx context.Context) error {
	n.mu.RLock()
	defer n.mu.RUnlock()
	if n.state.root.next != n.durable.Size() {
		return errBatchOpen
	}
	_, err := n.writeSnapshot(ctx, 0)
	return err
}

// writeSnapshot writes the state that stands and returns what it wrote; hint is
// about how long that will be.
func (n *Network) writeSnapshot(ctx context.Context, hint int) (believed, error) {
	root := n.tree.Root()
	h := sha256.New()
	out := believed{size: n.state.root.next}
	err := n.store.WriteSnapshot(ctx, out.size, func(w io.Writer) error {
		both := io.MultiWriter(w, h)
		for _, part := range []func() []byte{
			func() []byte { return []byte(snapshotForm) },
			func() []byte { return n.state.canonicalIn(make([]byte, 0, hint+hint/8)) },
			n.secrets.Stored,
			func() []byte { return hex.AppendEncode(nil, root[:]) },
		} {
			b := append(part(), '\n')
			out.length += len(b)
			if err := writePieces(both, b); err != nil {
				return err
			}
		}
		out.sum = [32]byte(h.Sum(nil))
		_, err := w.Write(lastLine(out.sum[:], n.snapshotKey))
		return err
	})
	return out, err
}

// writePieces writes a long text piece by piece: a hash over tens of megabytes
// at once would hold up the whole program.
func writePieces(w io.Writer, b []byte) error {
	for piece := range slices.Chunk(b, 64<<10) {
		if _, err := w.Write(piece); err != nil {
			return err
		}
		runtime.Gosched()
	}
	return nil
}

// restore loads the newest snapshot if it belongs to this journal. One that is
// damaged, or that the snapshot key does not vouch for, is passed over with an
// alarm, since replaying gives the same.
func (n *Network) restore(ctx context.Context, head journal.Head) error {
	size, b, err := loadSnapshot(ctx, n.store)
	if err != nil || b == nil {
		return err
	}
	if size > head.Size {
		return fmt.Errorf("%w: it has %d entries and its snapshot %d: entries are missing at its end; restore the journal, or remove the snapshot if you know why", ErrCorrupt, head.Size, size)
	}
	if string(b) == voidSnapshot { // the alarm was raised when it was set aside
		return nil
	}
	if err := checkSeal(b, n.snapshotKey); err != nil {
		n.alarm(fmt.Errorf("netkit: the snapshot of %d entries %w: this start replays all %d entries instead, and the next snapshot is sealed", size, err, head.Size))
		return nil
	}
	return n.adoptSnapshot(ctx, size, b)
}

// adoptSnapshot makes the state that of a snapshot, unless it is damaged or of
// another journal.
func (n *Network) adoptSnapshot(ctx context.Context, size uint64, b []byte) error {
	s, x := newState(), newSecrets()
	root, err := readSnapshot(b, s, x)
	if err != nil || s.root.next != size {
		return nil
	}
	tree, err := journal.OpenTree(ctx, n.store, size)
	if err != nil && !errors.Is(err, journal.ErrNotFound) {
		return err
	}
	if err != nil || tree.Root() != root {
		return nil // of other entries, or the stored tree is wrong: replaying tells which
	}
	n.state, n.secrets, n.resumed, n.loaded = s, x, size, b
	n.tree.Tree = *tree
	n.tree.commit()
	return nil
}

// readSnapshot reads both folds and returns the root of the tree.
func readSnapshot(b []byte, s *state, x *secrets) (root [journal.HashSize]byte, err error) {
	parts, err := snapshotParts(b)
	if err != nil {
		return root, err
	}
	if _, err := hex.Decode(root[:], parts[2]); err != nil {
		return root, wire.ErrForm
	}
	for i, f := range []func(*wire.Codec){s.fields, x.Fields} {
		c := wire.Reader(parts[i])
		c.Begin()
		f(&c)
		c.End()
		if err := c.Done(); err != nil {
			return root, err
		}
	}
	if Day(x.Unpaid.Date()) != s.root.at.Day() {
		return root, wire.ErrForm // of a version that did not count unpaid entries: a replay does
	}
	s.derive()
	x.Commit()
	return root, nil
}

// loadSnapshot reads the newest snapshot; nil where there is none.
func loadSnapshot(ctx context.Context, store journal.Store) (size uint64, b []byte, err error) {
	size, r, err := store.ReadSnapshot(ctx)
	if errors.Is(err, journal.ErrNoSnapshot) {
		return 0, nil, nil
	}
	if err != nil {
		return 0, nil, err
	}
	defer r.Close()
	b, err = io.ReadAll(r)
	return size, b, err
}
