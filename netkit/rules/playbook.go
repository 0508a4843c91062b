package rules

import (
	"slices"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/plural"
)

// playbook is the row of a registration.
type playbook struct {
	id    uint64     // entry that registered it
	owner uint32     // row of the agent
	day   netkit.Day // on which it was registered
	hash  [32]byte
	// committed is the entry of the commitment that it used, 0 is none. An earlier
	// one of somebody else takes the content over.
	committed uint64
	// removed is true once it was taken over, and from an upheld report on: the
	// row counts for the daily limit alone.
	removed bool
}

func playbookID(b *playbook) uint64 { return b.id }

func (b *playbook) Fields(c *wire.Codec) {
	wire.Num(c, "id", &b.id)
	wire.Num(c, "owner", &b.owner)
	wire.Num(c, "day", &b.day)
	c.Hash("hash", &b.hash)
	wire.Num(c, "committed", &b.committed)
	c.Flag("removed", &b.removed)
}

// stock is what the state keeps of playbooks and plants.
type stock struct {
	playbooks undo.Table[playbook]
	byHash    undo.Index[[32]byte, uint32] // playbooks by content; derived
	holders   undo.Table[uint32]           // rows of agents with inventory, as they registered first; derived
	plants    undo.Index[int64, uint64]    // entries of plants by their ids
}

// playbookTables registers playbooks, who holds them, and plants.
func (s *State) playbookTables() []table {
	return []table{
		stored(s, "playbooks", &s.playbooks),
		derivedIndex(&s.byHash, s.deriveHashes),
		{Part: &s.holders, derive: s.deriveHolders},
		storedIndex("plants", &s.plants, func(c *wire.Codec, id *int64, seq *uint64) {
			wire.Num(c, "id", id)
			wire.Num(c, "seq", seq)
		}),
	}
}

type RegisterPlaybook struct{ netkit.RegisterPlaybook }

func (*RegisterPlaybook) Route() string { return "btdt" }

func (c *RegisterPlaybook) Decide(s *State, call *Call) error {
	i, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	mine, committed := s.committed(p, c.ContentSHA256.CommittedBy(p.Slug), call.At)
	if row, known := s.byHash.Get(c.ContentSHA256); known && (!committed || mine.entry > s.playbooks.At(row).committed) {
		b := s.playbooks.At(row)
		if b.owner != i {
			return conflict(code.PlaybookKnown, "another agent has registered this playbook", "register cases that you resolved yourself")
		}
		call.repeats(b.id)
		return nil
	}
	if most := s.law.Limits.CommitmentDays; most > 0 && !committed {
		return conflict(code.PlaybookUncommitted, "you have not committed to this file in the last "+plural.Count(most, "day", "days"), "{commitPlaybook} does; then register it")
	}
	if most := s.law.Limits.PlaybooksPerDay; most > 0 && s.registeredOn(p, call.At.Day()) >= most {
		return playbooksPerDay(most, call.At)
	}
	call.Add(&PlaybookRegistered{Agent: p.Slug, Category: c.Category, Status: c.Status, Steps: c.StepCount, Content: c.ContentSHA256, Kept: c.Kept})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*RegisterPlaybook) Receipt(e *Entry) netkit.PlaybookReceipt {
	return netkit.PlaybookReceipt{PlaybookID: e.Seq, ContentSHA256: e.Fact.(*PlaybookRegistered).Content, Seq: e.Seq, At: e.At}
}

func playbooksPerDay(most int, at netkit.Millis) error {
	return &netkit.Refusal{Kind: netkit.ErrLimit, Code: code.PlaybooksPerDay, What: "you have registered " + plural.Count(most, "playbook", "playbooks") + " today, as many as an agent may",
		Next: "register more tomorrow (UTC)", After: time.Duration(netkit.Millis(at.Day()+1)*netkit.FullDay-at) * time.Millisecond}
}

// registeredOn counts what a party has registered on a date, which is the latest.
func (s *State) registeredOn(p *Party, today netkit.Day) (n int) {
	for _, row := range slices.Backward(s.extra(p).playbooks) {
		if s.playbooks.At(row).day != today {
			break
		}
		n++
	}
	return n
}

// PlaybookRegistered records inventory.
type PlaybookRegistered struct {
	Agent    string
	Category string
	Status   string
	Steps    int
	Content  [32]byte
	Kept     int // places that seemed to identify someone and stay
}

func (*PlaybookRegistered) Kind() netkit.Kind { return netkit.KindPlaybookRegistered }

func (f *PlaybookRegistered) CommandOf(*PastView) (Command, error) {
	c := &RegisterPlaybook{netkit.RegisterPlaybook{Category: f.Category, Status: f.Status, StepCount: f.Steps, ContentSHA256: f.Content, Kept: f.Kept}}
	return c, c.CheckForm()
}

func (f *PlaybookRegistered) Fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	wire.Str(c, "category", &f.Category)
	wire.Str(c, "status", &f.Status)
	wire.Num(c, "step_count", &f.Steps)
	c.Hash("content_sha256", &f.Content)
	wire.Num(c, "kept", &f.Kept)
}

func (f *PlaybookRegistered) Apply(s *State, e *Entry) {
	if i, _, ok := s.party(f.Agent); ok {
		if row, known := s.byHash.Get(f.Content); known {
			s.remove(s.playbooks.At(row).id, true)
		}
		row := s.playbooks.Add(playbook{id: e.Seq, owner: i, day: e.At.Day(), hash: f.Content, committed: s.useCommitment(i, f.Content)})
		s.byHash.Put(f.Content, row)
		s.hold(i, row)
	}
}

// derivePlaybooks fills in what follows from the table of playbooks.
func (s *State) deriveHashes() {
	for row, b := range s.playbooks.All() {
		if !b.removed {
			s.byHash.M[b.hash] = row
		}
	}
}

func (s *State) deriveHolders() {
	for row, b := range s.playbooks.All() {
		s.hold(b.owner, row)
	}
}

// hold adds a registration to the inventory of the party in row owner.
func (s *State) hold(owner, row uint32) {
	x := s.changeExtra(owner)
	if len(x.playbooks) == 0 {
		s.holders.Add(owner)
	}
	x.playbooks = append(x.playbooks, row)
}

// registered reports whether an entry registered a playbook.
func (s *State) registered(id uint64) bool {
	_, ok := find(&s.playbooks, playbookID, id)
	return ok
}

// remove takes a registration out of the inventory, or puts it back after a won
// appeal. Registrations by others meanwhile stand.
func (s *State) remove(id uint64, removed bool) {
	row, ok := find(&s.playbooks, playbookID, id)
	if !ok {
		return
	}
	b := s.playbooks.Change(row)
	b.removed = removed
	holder, known := s.byHash.Get(b.hash)
	x := &s.roots.Edit(s.root).Exchange
	switch {
	case removed:
		x.Removed++
		if known && holder == row {
			s.byHash.Drop(b.hash)
		}
	default:
		x.Removed--
		if !known {
			s.byHash.Put(b.hash, row)
		}
	}
}

// inventory picks a page of a party's registrations.
func (s *State) inventory(p *Party, before uint64, size int, next *string) (ids []uint64) {
	for _, row := range slices.Backward(s.extra(p).playbooks) {
		id := s.playbooks.At(row).id
		if id >= before || s.playbooks.At(row).removed {
			continue
		}
		if len(ids) == size {
			*next = netkit.CursorBelow(ids[size-1])
			break
		}
		ids = append(ids, id)
	}
	return ids
}

// OwnInventory returns a page of a caller's registrations, newest first.
func (s *State) OwnInventory(by netkit.Caller, before uint64, size int) (ids []uint64, next string, err error) {
	_, p, err := s.reader(by)
	if err != nil {
		return nil, "", err
	}
	ids = s.inventory(p, before, size, &next)
	return ids, next, nil
}

// Playbook returns the playbook that an entry registered, without its texts.
func (e *Entry) Playbook() netkit.Playbook {
	f := e.Fact.(*PlaybookRegistered)
	return netkit.Playbook{PlaybookID: e.Seq, RegisteredAt: e.At, RegisterPlaybook: netkit.RegisterPlaybook{
		Category: f.Category, Status: f.Status, StepCount: f.Steps, ContentSHA256: f.Content, Kept: f.Kept}}
}
