package netkit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"

	"github.com/agentnet/netctl/netkit/journal"
)

// A snapshot is a line that names its form, the canonical form of the state,
// the second fold and the root of the tree over the entries that they were made
// of, a line each, then the SHA-256 of these. It only shortens a start.

// snapshotForm is the first line. It changes with the form or the meaning of
// what follows: a snapshot of another form is passed over, not compared.
const snapshotForm = "netkit snapshot 2"

// fields carries the whole state in canonical form: tables in the order of
// their rows, maps in the order of their keys, nothing that can be derived.
func (s *state) fields(c *codec) {
	s.root.fields(c)
	document := s.law.JSON()
	c.raw("constitution", &document)
	if c.dec {
		s.adopt(document)
	}
	rows(c, "central", &s.central)
	rows(c, "parties", &s.parties)
	rows(c, "extras", &s.extras)
	rows(c, "wallets", &s.wallets)
	rows(c, "contracts", &s.contracts)
	rows(c, "budgets", &s.budgets)
	s.executed.fields(c)
	escrows(c, &s.escrows)
	erasures(c, &s.erased)
	rows(c, "dispatches", &s.dispatches)
	s.requestFields(c)
	rows(c, "playbooks", &s.playbooks)
	plantRows(c, &s.plants)
	rows(c, "agenda", &s.agenda)
	rows(c, "admissions", &s.admissions)
	rows(c, "revocations", &s.revocations)
	rows(c, "cases", &s.cases)
	rogues(c, &s.rogues)
	s.night.fields(c)
}

func (r *root) fields(c *codec) {
	num(c, "next", &r.next)
	num(c, "at", &r.at)
	str(c, "network", &r.netID)
	str(c, "log_key", &r.logKey)
	num(c, "crises", &r.crises)
	num(c, "agents", &r.counts.Agents)
	num(c, "executions", &r.counts.Executions)
	c.member("exchange", r.exchange.fields)
}

// rows carries a table.
func rows[T any, P interface {
	*T
	fields(*codec)
}](c *codec, name string, t *table[T]) {
	if !c.dec {
		if t.n == 0 {
			return
		}
		c.key(name)
		c.lit('[')
		for i, row := range t.all() {
			if i > 0 {
				c.lit(',')
			}
			object[T, P](c, row)
			yieldNow(i)
		}
		c.lit(']')
		return
	}
	t.n, t.chunks = 0, nil
	if !c.has(name) {
		return
	}
	c.lit('[')
	for c.err == nil {
		var row T
		object[T, P](c, &row)
		yieldNow(t.add(row))
		if len(c.b) == 0 || c.b[0] != ',' {
			break
		}
		c.b = c.b[1:]
	}
	c.lit(']')
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

func (p *party) fields(c *codec) {
	str(c, "slug", &p.slug)
	enum(c, "kind", &p.kind, partyKindNames)
	enum(c, "status", &p.status, statusNames)
	num(c, "since", &p.since)
	num(c, "seq", &p.seq)
	c.amount("backing", &p.backing)
	num(c, "roles", &p.roles)
	num(c, "extra", &p.extra)
	p.agent.fields(c)
}

func (a *agentRow) fields(c *codec) {
	enum(c, "niche", &a.niche, nicheNames)
	num(c, "channels", &a.channels)
	c.flag("accepts", &a.accepts)
	str(c, "provider", &a.provider)
	c.amount("floor", &a.floor)
	num(c, "claims", &a.claims)
	c.flag("confirmed", &a.confirmed)
	str(c, "accepted", &a.accepted)
	num(c, "transactions", &a.transactions)
	list(c, "evidence", &a.evidence, object[evidence])
}

func (x *extra) fields(c *codec) {
	list(c, "tokens", &x.tokens, number)
	str(c, "address", &x.address)
	c.short("nonce", &x.nonce)
	num(c, "asked", &x.asked)
	num(c, "opened", &x.opened)
	list(c, "badges", &x.wall, object[held])
	list(c, "notices", &x.notices, object[notice])
	list(c, "answers", &x.answers, object[answer])
	list(c, "verdicts", &x.verdicts, object[verdictRow])
	list(c, "incidents", &x.incidents, object[incident])
	num(c, "reports", &x.reports)
}

func (ct *contract) fields(c *codec) {
	num(c, "id", &ct.id)
	num(c, "sponsor", &ct.sponsor)
	enum(c, "kind", &ct.kind, contractKindNames)
	enum(c, "channel", &ct.channel, nicheNames)
	enum(c, "state", &ct.state, contractStateNames)
	enum(c, "min_tier", &ct.min, tierNames)
	list(c, "niches", &ct.niches, func(c *codec, n *Niche) { c.enumElement((*uint8)(n), nicheNames) })
	strs(c, "llm_providers", &ct.provider)
	num(c, "limit", &ct.limit)
	num(c, "opened", &ct.opened)
	num(c, "ends", &ct.ends)
	c.amount("budget", &ct.budget)
	c.amount("spent", &ct.spent)
	num(c, "runs", &ct.runs)
}

// runRow is one line of runCounts.
type runRow struct{ contract, agent, runs uint32 }

func (r *runRow) fields(c *codec) {
	num(c, "contract", &r.contract)
	num(c, "agent", &r.agent)
	num(c, "runs", &r.runs)
}

func (x *runCounts) fields(c *codec) {
	var all []runRow
	if !c.dec {
		for _, ct := range sortedKeys(x.m) {
			for _, agent := range sortedKeys(x.m[ct]) {
				all = append(all, runRow{ct, agent, x.m[ct][agent]})
			}
		}
	}
	list(c, "runs", &all, object[runRow])
	if c.dec {
		for _, r := range all {
			if x.m[r.contract] == nil {
				x.m[r.contract] = map[uint32]uint32{}
			}
			x.m[r.contract][r.agent] = r.runs
		}
	}
}

// escrowRow is one open escrow account.
type escrowRow struct {
	id uint64
	balance
}

func (r *escrowRow) fields(c *codec) {
	num(c, "id", &r.id)
	r.balance.fields(c)
}

func escrows(c *codec, x *index[uint64, balance]) {
	var all []escrowRow
	if !c.dec {
		for _, id := range sortedKeys(x.m) {
			all = append(all, escrowRow{id, x.m[id]})
		}
	}
	list(c, "escrows", &all, object[escrowRow])
	if c.dec {
		for _, r := range all {
			x.m[r.id] = r.balance
		}
	}
}

// erasure is an entry whose private part was erased, and the entry that says so.
type erasure struct{ entry, by uint64 }

func (r *erasure) fields(c *codec) {
	num(c, "entry", &r.entry)
	num(c, "by", &r.by)
}

func erasures(c *codec, x *index[uint64, uint64]) {
	var all []erasure
	for _, entry := range sortedKeys(x.m) {
		all = append(all, erasure{entry, x.m[entry]})
	}
	list(c, "erasures", &all, object[erasure])
	for _, r := range all {
		x.m[r.entry] = r.by
	}
}

// canonical returns the state's canonical form.
func (s *state) canonical() []byte { return s.canonicalIn(nil) }

// canonicalIn is canonical with memory to begin with.
func (s *state) canonicalIn(b []byte) []byte {
	c := codec{b: b}
	c.begin()
	s.fields(&c)
	c.end()
	return c.b
}

// derive fills in what follows from the tables.
func (s *state) derive() {
	for i, p := range s.parties.all() {
		s.slugs.m[p.slug] = i
		p.badges = activeOn(s.extra(p).wall)
		if p.agent.confirmed {
			s.prove(i)
		}
		if p.roles&Reviewer != 0 {
			s.reviewers.m[i] = struct{}{}
		}
		if p.kind == SponsorParty {
			s.sponsors.add(i)
		}
	}
	for i, ct := range s.contracts.all() {
		s.byID.m[ct.id] = i
	}
	for _, d := range s.dispatches.all() {
		s.name(d)
	}
	for _, id := range s.filed.ids {
		s.list(s.requests.m[id])
	}
	s.derivePlaybooks()
	for i, cs := range s.cases.all() {
		s.judged.m[cs.key()] = i
	}
	s.commit()
	s.due.rebuild(s)
}

var errBatchOpen = errors.New("netkit: a batch is under way, try again")

// Snapshot keeps the durable state for the next start. Writing waits meanwhile;
// a network that runs keeps snapshots by itself without that.
func (n *Network) Snapshot(ctx context.Context) error {
	n.mu.RLock()
	defer n.mu.RUnlock()
	if n.state.root.next != n.durable.size() {
		return errBatchOpen
	}
	_, err := n.writeSnapshot(ctx, 0)
	return err
}

// writeSnapshot writes the state that stands and returns what it wrote; hint is
// about how long that will be.
func (n *Network) writeSnapshot(ctx context.Context, hint int) (believed, error) {
	root := n.trunk.Root()
	h := sha256.New()
	out := believed{size: n.state.root.next}
	err := n.store.WriteSnapshot(ctx, out.size, func(w io.Writer) error {
		both := io.MultiWriter(w, h)
		for _, part := range []func() []byte{
			func() []byte { return []byte(snapshotForm) },
			func() []byte { return n.state.canonicalIn(make([]byte, 0, hint+hint/8)) },
			n.secrets.stored,
			func() []byte { return hex.AppendEncode(nil, root[:]) },
		} {
			b := append(part(), '\n')
			out.length += len(b)
			if err := writePieces(both, b); err != nil {
				return err
			}
		}
		out.sum = [32]byte(h.Sum(nil))
		_, err := fmt.Fprintf(w, "%x\n", out.sum)
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

// restore loads the newest snapshot if it belongs to this journal. A damaged
// one is passed over, since replaying gives the same.
func (n *Network) restore(ctx context.Context, head journal.Head) error {
	size, b, err := loadSnapshot(ctx, n.store)
	if err != nil || b == nil {
		return err
	}
	if size > head.Size {
		return fmt.Errorf("%w: it has %d entries and its snapshot %d: entries are missing at its end; restore the journal, or remove the snapshot if you know why", ErrCorrupt, head.Size, size)
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
	n.trunk.Tree = *tree
	n.trunk.commit()
	return nil
}

// readSnapshot reads both folds and returns the root of the tree.
func readSnapshot(b []byte, s *state, x *secrets) (root [journal.HashSize]byte, err error) {
	parts, err := snapshotParts(b)
	if err != nil {
		return root, err
	}
	if _, err := hex.Decode(root[:], parts[2]); err != nil {
		return root, errCodec
	}
	for i, f := range []func(*codec){s.fields, x.fields} {
		c := codec{b: parts[i], dec: true}
		c.begin()
		f(&c)
		c.end()
		if err := c.done(); err != nil {
			return root, err
		}
	}
	if x.unpaid.date != s.root.at.Day() {
		return root, errCodec // of a version that did not count unpaid entries: a replay does
	}
	s.derive()
	x.commit()
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

// snapshotParts returns state, second fold and root of a snapshot whose form
// and sum are right.
func snapshotParts(b []byte) ([][]byte, error) {
	parts := bytes.SplitN(b, []byte("\n"), 5)
	if len(parts) != 5 || string(parts[0]) != snapshotForm || len(parts[3]) != hex.EncodedLen(journal.HashSize) {
		return nil, fmt.Errorf("%w: form", errCodec)
	}
	h := sha256.New()
	if err := writePieces(h, b[:len(b)-len(parts[4])]); err != nil {
		return nil, err
	}
	if string(parts[4]) != fmt.Sprintf("%x\n", h.Sum(nil)) {
		return nil, fmt.Errorf("%w: checksum", errCodec)
	}
	return parts[1:4], nil
}
