package netkit

import (
	"context"
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

// feed holds the dispatches of the state.
type feed struct {
	dispatches undo.Table[dispatch]
	lines      [lineCount]line             // ids of the dispatches of a channel and priority; derived
	media      undo.Index[[32]byte, media] // by SHA-256; derived
}

func newFeed() feed { return feed{media: undo.NewIndex[[32]byte, media]()} }

// dispatch is the row of a dispatch: what manifest, crisis and sweep ask for.
// Everything else stands in its entry. Rows stand in the order of their ids.
type dispatch struct {
	id         uint64 // entry that published it
	priority   Priority
	channel    Niche
	resolved   Millis // end of its crisis; 0 while it runs, and for P1 and P2
	audio      [32]byte
	transcript [32]byte
}

func (d *dispatch) fields(c *wire.Codec) {
	wire.Num(c, "id", &d.id)
	enum(c, "priority", &d.priority, priorityNames)
	enum(c, "channel", &d.channel, nicheNames)
	wire.Num(c, "resolved", &d.resolved)
	c.Hash("audio", &d.audio)
	c.Hash("transcript", &d.transcript)
}

func (d *dispatch) number() uint64 { return d.id }

// dispatch returns the row of a dispatch, or a refusal.
func (s *state) dispatch(field string, id uint64) (uint32, *dispatch, error) {
	i := sort.Search(int(s.dispatches.Len()), func(i int) bool { return s.dispatches.At(uint32(i)).id >= id })
	if i < int(s.dispatches.Len()) {
		if d := s.dispatches.At(uint32(i)); d.id == id {
			return uint32(i), d, nil
		}
	}
	return 0, nil, &Refusal{Kind: ErrNotFound, Code: code.DispatchUnknown, Field: field, What: "names no dispatch", Next: "{readFeed} lists them"}
}

// paid reports whether reading a dispatch of that priority costs.
func (s *state) paid(p Priority) bool { return slices.Contains(s.law.Economy.PaidPriorities, p) }

type publish struct{ Publish }

func (*publish) route() string { return "dispatch" }

func (c *publish) decide(s *state, call *call) error {
	_, p, err := call.actor(s)
	if err != nil {
		return err
	}
	if err := c.authority(p); err != nil {
		return err
	}
	if c.CorrectionOf != 0 {
		if _, _, err := s.dispatch("correction_of", c.CorrectionOf); err != nil {
			return err
		}
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

func (c *publish) authority(p *party) error {
	switch {
	case p.kind == OperatorParty:
		return nil
	case c.Priority == P0:
		return forbidden("L3", code.P0NeedsOperator, "a Priority 0 dispatch stops all commerce and needs an operator", "ask an operator, or publish P1")
	case p.kind != AgentParty || p.roles&Correspondent == 0:
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

func (f *Published) asked(*pastView) (command, error) {
	c := &publish{Publish{Priority: f.Priority, Channel: f.Channel, CorrectionOf: f.CorrectionOf}}
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
	row := s.dispatches.Add(dispatch{id: e.Seq, priority: f.Priority, channel: f.Channel, audio: f.Audio.SHA256, transcript: f.Transcript.SHA256})
	d := s.dispatches.At(row)
	s.name(row, d)
	at := s.fileDispatch(d)
	if i, _, ok := s.party(e.Actor); ok && s.law.Feed.ReadOpens > 0 && s.paid(f.Priority) {
		x := s.changeExtra(i) // whoever publishes reads its own free
		x.read = x.read.with(at)
	}
	if f.Priority == P0 {
		s.beginCrisis(f, e)
	}
}

// Publish publishes a dispatch. Its recording must be stored already.
func (n *Network) Publish(ctx context.Context, by Caller, in Publish) (DispatchReceipt, error) {
	c := &publish{in}
	if err := c.checkForm(); err != nil {
		return DispatchReceipt{}, err
	}
	if err := c.checkTexts(); err != nil {
		return DispatchReceipt{}, err
	}
	r, err := run(ctx, n, by, c, c, func(e *Entry) DispatchReceipt {
		return DispatchReceipt{DispatchID: e.Seq, Priority: e.Fact.(*Published).Priority, Seq: e.Seq, At: e.At}
	})
	n.followUp(ctx, err)
	return r, err
}
