package netkit

import (
	"context"
	"errors"
	"slices"
	"sort"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Publish asks to publish a dispatch. P0 needs an operator, since it starts a
// crisis; P1 and P2 a correspondent.
type Publish struct {
	Priority     Priority  `json:"priority"`
	Channel      Niche     `json:"channel"`
	Headline     string    `json:"headline" doc:"at most 200 characters" minLength:"1" maxLength:"200"`
	Summary      string    `json:"summary,omitempty" doc:"at most 4,000 characters" maxLength:"4000"`
	Audio        *AudioRef `json:"audio,omitempty" doc:"what the upload of the recording answered"`
	Transcript   *TextRef  `json:"transcript,omitempty" doc:"what the upload of the transcript answered"`
	CorrectionOf uint64    `json:"correction_of,omitempty" doc:"the dispatch that this one corrects"`
}

// DispatchReceipt is the receipt of publishing.
type DispatchReceipt struct {
	DispatchID uint64   `json:"dispatch_id"`
	Priority   Priority `json:"priority"`
	Seq        uint64   `json:"seq"`
	At         Millis   `json:"at"`
}

// feed holds the dispatches of the state: the newest of each line, and older
// ones until they are archived.
type feed struct {
	dispatches undo.Rows[dispatch]
	lines      [lineCount]feedLine // the dispatches of a channel and priority
}

// feedLine is what is in memory of a line, and where its older dispatches stand.
type feedLine struct {
	ids   line // derived
	pages list[page]
}

// dispatch is the row of a dispatch: what manifest, crisis and sweep ask for.
// Everything else stands in its entry.
type dispatch struct {
	id         uint64 // entry that published it
	priority   Priority
	channel    Niche
	nth        uint32 // within its line, from 0
	day        Day    // of its publication
	resolved   Millis // end of its crisis; 0 while it runs, and for P1 and P2
	audio      [32]byte
	transcript [32]byte
}

func (d *dispatch) fields(c *wire.Codec) {
	wire.Num(c, "id", &d.id)
	enum(c, "priority", &d.priority, priorityNames)
	enum(c, "channel", &d.channel, nicheNames)
	wire.Num(c, "nth", &d.nth)
	wire.Num(c, "day", &d.day)
	wire.Num(c, "resolved", &d.resolved)
	c.Hash("audio", &d.audio)
	c.Hash("transcript", &d.transcript)
}

func dispatchID(d *dispatch) uint64 { return d.id }

// dispatch returns the row of a dispatch that is in memory, or a refusal.
func (s *state) dispatch(field string, id uint64) (*dispatch, error) {
	if d, ok := s.dispatches.Get(id); ok {
		return d, nil
	}
	return nil, dispatchUnknown(field)
}

func dispatchUnknown(field string) error {
	return &Refusal{Kind: ErrNotFound, Code: code.DispatchUnknown, Field: field, What: "names no dispatch", Next: "{readFeed} lists them"}
}

// paid reports whether reading a dispatch of that priority costs.
func (s *state) paid(p Priority) bool { return slices.Contains(s.law.Economy.PaidPriorities, p) }

// publish is a Publish with what the entry that it corrects is.
type publish struct {
	Publish
	corrects bool // it is a dispatch
}

// settle looks at the entry that the dispatch corrects.
func (c *publish) settle(e *Entry, err error) error {
	if err == nil {
		_, c.corrects = e.Fact.(*Published)
	}
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

func (*publish) route() string { return "dispatch" }

func (c *publish) decide(s *state, call *call) error {
	_, p, err := call.actor(s)
	if err != nil {
		return err
	}
	if err := c.authority(p); err != nil {
		return err
	}
	if c.CorrectionOf != 0 && !c.corrects {
		return dispatchUnknown("correction_of")
	}
	if c.Audio == nil && slices.Contains(s.law.Feed.AudioRequired, c.Priority) {
		return invalid("audio", code.AudioMissing, "is required for "+c.Priority.String(), "add one with {uploadAudio}")
	}
	f := &Published{Priority: c.Priority, Channel: c.Channel, CorrectionOf: c.CorrectionOf}
	if c.Audio != nil {
		f.Audio = *c.Audio
	}
	if c.Transcript != nil {
		f.Transcript = *c.Transcript
	}
	if c.Priority == P0 {
		f.Until, f.Held = s.crisisTerm(p.slug, call.at)
	}
	call.add(f)
	return nil
}

// MayPublish reports by its refusal whether the caller may publish with that
// priority, whatever the dispatch holds.
//
// Refusals: correspondents_only, p0_needs_operator.
func (ses *Session) MayPublish(ctx context.Context, priority Priority) error {
	now := ses.n.Now()
	c := &publish{Publish: Publish{Priority: priority}}
	_, err := view(ctx, ses.n, func(s *state) (struct{}, error) {
		_, p, err := (&call{at: s.moment(now), by: ses.by}).actor(s)
		if err == nil {
			err = c.authority(p)
		}
		return struct{}{}, err
	})
	return err
}

func (c *publish) authority(p *party) error {
	switch {
	case p.kind == OperatorParty:
		return nil
	case c.Priority == P0:
		return forbidden("L3", code.P0NeedsOperator, "a Priority 0 dispatch stops all commerce and needs an operator", "ask an operator, or publish P1")
	case p.kind != AgentParty || p.roles&correspondent == 0:
		return forbidden("", code.CorrespondentsOnly, "only a correspondent or an operator publishes dispatches", "ask an operator for the role")
	}
	return nil
}

func (c *publish) checkTexts() error {
	if err := checkText("headline", c.Headline, 1, 200); err != nil {
		return err
	}
	return checkText("summary", c.Summary, 0, 4000)
}

// checkForm looks at what will be public.
func (c *publish) checkForm() error {
	if int(c.Priority) >= len(priorityNames) {
		return invalid("priority", code.PriorityUnknown, "is none of P0, P1, P2", "")
	}
	if err := checkChannel(c.Channel); err != nil {
		return err
	}
	if c.Audio != nil {
		if err := c.Audio.check(); err != nil {
			return err
		}
	}
	if c.Transcript != nil {
		return c.Transcript.check()
	}
	return nil
}

// fields is the private part: the texts of every priority, so that they are
// served from one place and the journal shows none.
func (c *publish) fields(k *wire.Codec) {
	wire.Str(k, "headline", &c.Headline)
	wire.Str(k, "summary", &c.Summary)
}

// Published records a dispatch. One of P0 starts a crisis.
type Published struct {
	Priority     Priority
	Channel      Niche
	Audio        AudioRef
	Transcript   TextRef
	CorrectionOf uint64
	Until        Millis // of a P0: when its crisis ends unless it is renewed, 0 is never
	Held         bool   // of a P0: its crisis suppresses nothing before it is renewed
}

func (*Published) kind() Kind { return KindDispatchPublished }

func (f *Published) asked(h *pastView) (command, error) {
	c := &publish{Publish: Publish{Priority: f.Priority, Channel: f.Channel, CorrectionOf: f.CorrectionOf}}
	if f.CorrectionOf != 0 {
		if err := c.settle(h.earlier(f.CorrectionOf)); err != nil {
			return nil, err
		}
	}
	if f.Audio != (AudioRef{}) {
		c.Audio = &f.Audio
	}
	if f.Transcript != (TextRef{}) {
		c.Transcript = &f.Transcript
	}
	return c, c.checkForm()
}

func (f *Published) fields(c *wire.Codec) {
	enum(c, "priority", &f.Priority, priorityNames)
	enum(c, "channel", &f.Channel, nicheNames)
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

func (f *Published) apply(s *state, e *Entry) {
	d := s.dispatches.Add(e.Seq, dispatch{id: e.Seq, priority: f.Priority, channel: f.Channel, nth: s.lineLength(lineOf(f.Channel, f.Priority)),
		day: e.At.Day(), audio: f.Audio.SHA256, transcript: f.Transcript.SHA256})
	s.lines[d.place().line].ids.add(d.id)
	if i, _, ok := s.party(e.Actor); ok && s.law.Feed.ReadOpens > 0 && s.paid(f.Priority) {
		x := s.changeExtra(i) // whoever publishes reads its own free
		x.read = x.read.with(d.place())
	}
	if f.Priority == P0 {
		s.beginCrisis(f, e)
	}
}

// Publish publishes a dispatch. Its recording must be stored already.
//
// Refusals: audio_differs, audio_missing, audio_size, audio_type,
// channel_missing, correspondents_only, dispatch_unknown, niche_unknown,
// no_audio, not_stored, p0_needs_operator, priority_unknown,
// transcript_differs, transcript_missing, transcript_type.
func (ses *Session) Publish(ctx context.Context, in Publish) (DispatchReceipt, error) {
	c := &publish{Publish: in}
	if err := c.checkForm(); err != nil {
		return DispatchReceipt{}, err
	}
	if err := c.checkTexts(); err != nil {
		return DispatchReceipt{}, err
	}
	if in.CorrectionOf != 0 {
		if err := c.settle(ses.n.Entry(ctx, in.CorrectionOf)); err != nil {
			return DispatchReceipt{}, err
		}
	}
	r, err := run(ctx, ses, c, c, func(e *Entry) DispatchReceipt {
		return DispatchReceipt{DispatchID: e.Seq, Priority: e.Fact.(*Published).Priority, Seq: e.Seq, At: e.At}
	})
	ses.n.followUp(ctx, err)
	return r, err
}

// Which dispatches a reader has opened. A dispatch has a place: its line, which is
// its channel and priority, and its number within that. A paid read opens the
// newest of the lines that it asks for, so what somebody has opened of a line is
// a few runs of numbers, however much that is.

// lineCount is the number of lines: every channel has one for each priority.
const lineCount = 6 * (int(P2) + 1)

// feedPlace is where a dispatch stands.
type feedPlace struct {
	line uint8
	nth  uint32 // within the line, from 0
}

// lineOf returns the line of a channel and priority.
func lineOf(ch Niche, p Priority) uint8 { return uint8((int(ch)-1)*(int(P2)+1) + int(p)) }

// place returns where the dispatch stands.
func (d *dispatch) place() feedPlace { return feedPlace{lineOf(d.channel, d.priority), d.nth} }

func (p *feedPlace) fields(c *wire.Codec) {
	wire.Num(c, "line", &p.line)
	wire.Num(c, "nth", &p.nth)
}

// lineLength returns how many dispatches of a line there ever were. Its newest
// never leaves memory.
func (s *state) lineLength(l uint8) uint32 {
	ids := s.lines[l].ids.ids
	if len(ids) == 0 {
		return 0
	}
	d, _ := s.dispatches.Get(ids[len(ids)-1])
	return d.nth + 1
}

// published returns how many dispatches there ever were.
func (s *state) published() (n uint64) {
	for l := range uint8(lineCount) {
		n += uint64(s.lineLength(l))
	}
	return n
}

// openedRun is a part of a line without gaps: the numbers [from, to).
type openedRun struct {
	line     uint8
	from, to uint32
}

func (r *openedRun) fields(c *wire.Codec) {
	wire.Num(c, "line", &r.line)
	wire.Num(c, "from", &r.from)
	wire.Num(c, "to", &r.to)
}

// openedRuns are what one reader has opened, sorted by line and number, with a gap
// between any two of a line. They are never changed in place, since the image of
// a row keeps the list that it had.
type openedRuns []openedRun

// find returns the index of the first run that ends behind a place.
func (r openedRuns) find(at feedPlace) int {
	return sort.Search(len(r), func(i int) bool {
		return r[i].line > at.line || r[i].line == at.line && r[i].to > at.nth
	})
}

// has reports whether a place is within a run.
func (r openedRuns) has(at feedPlace) bool {
	i := r.find(at)
	return i < len(r) && r[i].line == at.line && r[i].from <= at.nth
}

// with returns the runs with a place added.
func (r openedRuns) with(at feedPlace) openedRuns {
	if r.has(at) {
		return r
	}
	i := r.find(at)
	added := openedRun{at.line, at.nth, at.nth + 1}
	from, to := i, i // of the runs that the new one takes in
	if i > 0 && r[i-1].line == at.line && r[i-1].to == at.nth {
		from, added.from = i-1, r[i-1].from
	}
	if i < len(r) && r[i].line == at.line && r[i].from == at.nth+1 {
		to, added.to = i+1, r[i].to
	}
	return slices.Concat(r[:from], openedRuns{added}, r[to:])
}

// hasOpened reports whether a reader has opened a paid dispatch.
func (x *extra) hasOpened(d *dispatch) bool { return x.read.has(d.place()) }

// closed counts what a reader has not opened of a line.
func (s *state) closed(x *extra, l uint8) int {
	n := s.lineLength(l)
	for _, r := range x.read {
		if r.line == l {
			n -= r.to - r.from
		}
	}
	return int(n)
}

// everything returns runs of all that was ever published.
func (s *state) everything() (all openedRuns) {
	for l := range uint8(lineCount) {
		if n := s.lineLength(l); n > 0 {
			all = append(all, openedRun{l, 0, n})
		}
	}
	return all
}
