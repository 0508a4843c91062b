package rules

import (
	"errors"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// feed holds the dispatches of the state: the newest of each line, and older
// ones until they are archived.
type feed struct {
	dispatches undo.Rows[Dispatch]
	lines      feedLines
}

// feedTables registers dispatches. Each has its line from its channel and priority.
func (s *State) feedTables() []table {
	return []table{
		storedByID("dispatches", &s.dispatches, dispatchID),
		{Part: &s.lines, fields: s.feedPages, derive: s.deriveLines},
	}
}

func (s *State) deriveLines() {
	for id, d := range s.dispatches.All() {
		s.lines[d.place().line].ids.add(id)
	}
}

// feedLines holds the dispatches of each channel and priority.
type feedLines [lineCount]feedLine

// Commit keeps the added rows.
func (l *feedLines) Commit() {
	for i := range l {
		l[i].ids.Commit()
		l[i].Pages.Commit()
	}
}

// Rollback goes back to the last commit.
func (l *feedLines) Rollback() {
	for i := range l {
		l[i].ids.Rollback()
		l[i].Pages.Rollback()
	}
}

// Freeze keeps the lines as they are; nil ends that.
func (l *feedLines) Freeze(f *undo.Freeze) {
	for i := range l {
		l[i].ids.Freeze(f)
		l[i].Pages.Freeze(f)
	}
}

// feedLine is what is in memory of a line, and where its older dispatches stand.
type feedLine struct {
	ids   line // derived
	Pages list[Page]
}

// Dispatch is the row of a dispatch: what manifest, crisis and sweep ask for.
// Everything else stands in its entry.
type Dispatch struct {
	Id         uint64 // entry that published it
	Priority   netkit.Priority
	Channel    netkit.Niche
	nth        uint32        // within its line, from 0
	day        netkit.Day    // of its publication
	resolved   netkit.Millis // end of its crisis; 0 while it runs, and for P1 and P2
	audio      [32]byte
	transcript [32]byte
}

func (d *Dispatch) Fields(c *wire.Codec) {
	wire.Num(c, "id", &d.Id)
	enum(c, "priority", &d.Priority, netkit.PriorityNames)
	enum(c, "channel", &d.Channel, netkit.NicheNames)
	wire.Num(c, "nth", &d.nth)
	wire.Num(c, "day", &d.day)
	wire.Num(c, "resolved", &d.resolved)
	c.Hash("audio", &d.audio)
	c.Hash("transcript", &d.transcript)
}

func dispatchID(d *Dispatch) uint64 { return d.Id }

// Dispatch returns the row of a dispatch that is in memory, or a refusal.
func (s *State) Dispatch(field string, id uint64) (*Dispatch, error) {
	if d, ok := s.dispatches.Get(id); ok {
		return d, nil
	}
	return nil, DispatchUnknown(field)
}

func DispatchUnknown(field string) error {
	return &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.DispatchUnknown, Field: field, What: "names no dispatch", Next: "{readFeed} lists them"}
}

// paid reports whether reading a dispatch of that priority costs.
func (s *State) paid(p netkit.Priority) bool { return slices.Contains(s.law.Economy.PaidPriorities, p) }

// Publish is a Publish with what the entry that it corrects is.
type Publish struct {
	netkit.Publish
	corrects bool // it is a dispatch
}

// Settle looks at the entry that the dispatch corrects.
func (c *Publish) Settle(e *Entry, err error) error {
	if err == nil {
		_, c.corrects = e.Fact.(*Published)
	}
	if errors.Is(err, netkit.ErrNotFound) {
		return nil
	}
	return err
}

func (*Publish) Route() string { return "dispatch" }

func (c *Publish) Decide(s *State, call *Call) error {
	_, p, err := call.Actor(s)
	if err != nil {
		return err
	}
	if err := c.Authority(p); err != nil {
		return err
	}
	if c.CorrectionOf != 0 && !c.corrects {
		return DispatchUnknown("correction_of")
	}
	if c.Audio == nil && slices.Contains(s.law.Feed.AudioRequired, c.Priority) {
		return netkit.Invalid("audio", code.AudioMissing, "is required for "+c.Priority.String(), "add one with {uploadAudio}")
	}
	f := &Published{Priority: c.Priority, Channel: c.Channel, CorrectionOf: c.CorrectionOf}
	if c.Audio != nil {
		f.Audio = *c.Audio
	}
	if c.Transcript != nil {
		f.Transcript = *c.Transcript
	}
	if c.Priority == netkit.P0 {
		f.Until, f.Held = s.crisisTerm(p.Slug, call.At)
	}
	call.Add(f)
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*Publish) Receipt(e *Entry) netkit.DispatchReceipt {
	return netkit.DispatchReceipt{DispatchID: e.Seq, Priority: e.Fact.(*Published).Priority, Seq: e.Seq, At: e.At}
}

func (c *Publish) Authority(p *Party) error {
	switch {
	case p.Kind == netkit.OperatorParty:
		return nil
	case c.Priority == netkit.P0:
		return netkit.Forbidden("L3", code.P0NeedsOperator, "a Priority 0 dispatch stops all commerce and needs an operator", "ask an operator, or publish P1")
	case p.Kind != netkit.AgentParty || p.roles&netkit.Correspondent == 0:
		return netkit.Forbidden("", code.CorrespondentsOnly, "only a correspondent or an operator publishes dispatches", "ask an operator for the role")
	}
	return nil
}

func (c *Publish) CheckTexts() error {
	if err := netkit.CheckText("headline", c.Headline, 1, 200); err != nil {
		return err
	}
	return netkit.CheckText("summary", c.Summary, 0, 4000)
}

// CheckForm looks at what will be public.
func (c *Publish) CheckForm() error {
	if int(c.Priority) >= len(netkit.PriorityNames) {
		return netkit.Invalid("priority", code.PriorityUnknown, "is none of P0, P1, P2", "")
	}
	if err := checkChannel(c.Channel); err != nil {
		return err
	}
	if c.Audio != nil {
		if err := c.Audio.Check(); err != nil {
			return err
		}
	}
	if c.Transcript != nil {
		return c.Transcript.Check()
	}
	return nil
}

// Fields is the private part: the texts of every priority, so that they are
// served from one place and the journal shows none.
func (c *Publish) Fields(k *wire.Codec) {
	wire.Str(k, "headline", &c.Headline)
	wire.Str(k, "summary", &c.Summary)
}

// Published records a dispatch. One of P0 starts a crisis.
type Published struct {
	Priority     netkit.Priority
	Channel      netkit.Niche
	Audio        netkit.AudioRef
	Transcript   netkit.TextRef
	CorrectionOf uint64
	Until        netkit.Millis // of a P0: when its crisis ends unless it is renewed, 0 is never
	Held         bool          // of a P0: its crisis suppresses nothing before it is renewed
}

func (*Published) Kind() netkit.Kind { return netkit.KindDispatchPublished }

func (f *Published) CommandOf(h *PastView) (Command, error) {
	c := &Publish{Publish: netkit.Publish{Priority: f.Priority, Channel: f.Channel, CorrectionOf: f.CorrectionOf}}
	if f.CorrectionOf != 0 {
		if err := c.Settle(h.earlier(f.CorrectionOf)); err != nil {
			return nil, err
		}
	}
	if f.Audio != (netkit.AudioRef{}) {
		c.Audio = &f.Audio
	}
	if f.Transcript != (netkit.TextRef{}) {
		c.Transcript = &f.Transcript
	}
	return c, c.CheckForm()
}

func (f *Published) Fields(c *wire.Codec) {
	enum(c, "priority", &f.Priority, netkit.PriorityNames)
	enum(c, "channel", &f.Channel, netkit.NicheNames)
	c.Hash("audio_sha256", (*[32]byte)(&f.Audio.SHA256))
	wire.Str(c, "audio_type", &f.Audio.Type)
	wire.Num(c, "audio_bytes", &f.Audio.Bytes)
	wire.Num(c, "audio_ms", &f.Audio.Duration)
	c.Hash("transcript_sha256", (*[32]byte)(&f.Transcript.SHA256))
	wire.Str(c, "transcript_type", &f.Transcript.Type)
	wire.Num(c, "correction_of", &f.CorrectionOf)
	wire.Num(c, "until", &f.Until)
	c.Flag("held", &f.Held)
}

func (f *Published) Apply(s *State, e *Entry) {
	d := s.dispatches.Add(e.Seq, Dispatch{Id: e.Seq, Priority: f.Priority, Channel: f.Channel, nth: s.lineLength(lineOf(f.Channel, f.Priority)),
		day: e.At.Day(), audio: f.Audio.SHA256, transcript: f.Transcript.SHA256})
	s.lines[d.place().line].ids.add(d.Id)
	if i, _, ok := s.party(e.Actor); ok && s.law.Feed.ReadOpens > 0 && s.paid(f.Priority) {
		x := s.changeExtra(i) // a publisher reads its own free
		x.read = x.read.with(d.place())
	}
	if f.Priority == netkit.P0 {
		s.beginCrisis(f, e)
	}
}

// Read returns the dispatch from its entry and its private part.
func (d *Dispatch) Read(e *Entry, p *Private) (netkit.Dispatch, error) {
	return e.Dispatch(p, d.resolved)
}
