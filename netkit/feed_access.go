package netkit

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// open reports whether a party may have a dispatch in full without paying now.
func (s *state) open(slug string, d *dispatch) bool {
	if !s.paid(d.priority) {
		return true
	}
	_, p, ok := s.party(slug)
	return ok && s.extra(p).hasOpened(d)
}

// Dispatch returns one dispatch: a P0 one to everybody, a paid one to who has
// opened it. It never charges.
//
// Refusals: dispatch_not_open, dispatch_unknown.
func (ses *Session) Dispatch(ctx context.Context, id uint64) (Dispatch, error) {
	d, err := ses.n.dispatchRow(ctx, id)
	if err != nil {
		return Dispatch{}, err
	}
	open, err := view(ctx, ses.n, func(s *state) (bool, error) { return s.open(ses.by.Slug, d), nil })
	switch {
	case err != nil:
		return Dispatch{}, err
	case open:
		return ses.n.readDispatch(ctx, d)
	case ses.by.Slug == "":
		return Dispatch{}, refuse(ErrUnauthenticated, code.Unauthenticated, "a "+d.priority.String()+" dispatch is read by an agent that paid for it", "{withToken}")
	}
	return Dispatch{}, refuse(ErrInsufficientCredits, code.DispatchNotOpen, "you have not opened this dispatch", "{readFeed} opens the newest")
}

// CanFetch reports whether a standing dispatch names a stored recording or
// transcript, and whether the caller may fetch it: those of P0 dispatches
// everybody may, those of paid ones who has opened such a dispatch. The caller
// may give the id of a dispatch that names the file; with 0 the whole journal is
// searched for old ones.
func (ses *Session) CanFetch(ctx context.Context, file Hash, id uint64) (named, may bool, err error) {
	look := func(some func(*state) iter.Seq[*dispatch]) error {
		type found struct{ named, may bool }
		got, err := view(ctx, ses.n, func(s *state) (got found, _ error) {
			for d := range some(s) {
				if d.has(file) && s.standing(d) {
					got = found{true, got.may || s.open(ses.by.Slug, d)}
				}
			}
			return got, nil
		})
		named, may = named || got.named, may || got.may
		return err
	}
	if id != 0 {
		d, err := ses.n.dispatchRow(ctx, id)
		if err == nil {
			err = look(func(*state) iter.Seq[*dispatch] { return slices.Values([]*dispatch{d}) })
		}
		if may || err != nil && !errors.Is(err, ErrNotFound) {
			return named, may, err
		}
	}
	err = look(func(s *state) iter.Seq[*dispatch] { return values(s.dispatches.All()) })
	if may || id != 0 || err != nil {
		return named, may, err
	}
	err = ses.n.oldDispatches(ctx, func(old iter.Seq[*dispatch]) error {
		return look(func(*state) iter.Seq[*dispatch] { return old })
	})
	return named, may, err
}

// values drops the keys.
func values[K, V any](all iter.Seq2[K, V]) iter.Seq[V] {
	return func(yield func(V) bool) {
		for _, v := range all {
			if !yield(v) {
				return
			}
		}
	}
}

// AudioKeep reports whether a standing dispatch of the last two days names a
// stored file. It may tell of a dispatch that is not durable yet.
func (n *Network) AudioKeep(file Hash) bool {
	n.mu.RLock()
	defer n.mu.RUnlock()
	for _, d := range n.state.dispatches.All() {
		if d.has(file) && n.state.standing(d) {
			return true
		}
	}
	return false
}

// NamedFiles returns the recordings and transcripts that dispatches name: true
// where one stands, false where all of them are erased. It reads every archived
// dispatch, which takes a while in an old network.
func (n *Network) NamedFiles(ctx context.Context) (map[Hash]bool, error) {
	all := map[Hash]bool{}
	note := func(some func(*state) iter.Seq[*dispatch]) error {
		_, err := view(ctx, n, func(s *state) (struct{}, error) {
			for d := range some(s) {
				for _, file := range []Hash{d.audio, d.transcript} {
					all[file] = all[file] || s.standing(d)
				}
			}
			return struct{}{}, nil
		})
		return err
	}
	// Those in memory first: what leaves it meanwhile is then met again.
	err := note(func(s *state) iter.Seq[*dispatch] { return values(s.dispatches.All()) })
	if err == nil {
		err = n.oldDispatches(ctx, func(old iter.Seq[*dispatch]) error {
			return note(func(*state) iter.Seq[*dispatch] { return old })
		})
	}
	delete(all, Hash{})
	return all, err
}

// ErasedFiles returns the recording and the transcript of an erased dispatch
// that no other dispatch names, so that they have to go; nothing for other
// entries.
func (n *Network) ErasedFiles(ctx context.Context, entry uint64) (gone []Hash, err error) {
	d, err := n.dispatchRow(ctx, entry)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all, err := n.NamedFiles(ctx)
	for _, file := range []Hash{d.audio, d.transcript} {
		if standing, named := all[file]; named && !standing {
			gone = append(gone, file)
		}
	}
	return gone, err
}

// SetChannels subscribes the caller to intelligence channels: they are the
// default filter of its manifest and stream, and gate nothing. None is all.
type SetChannels struct {
	Channels []Niche `json:"channels" doc:"none subscribes to all six"`
}

// ChannelsReceipt is the receipt of subscribing.
type ChannelsReceipt struct {
	Channels []Niche `json:"channels"`
	Seq      uint64  `json:"seq"`
	At       Millis  `json:"at"`
}

type setChannels struct{ SetChannels }

func (*setChannels) route() string { return "channels" }

func (c *setChannels) decide(s *state, call *call) error {
	_, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	for _, ch := range c.Channels {
		if err := checkNiche("channels", ch); err != nil || ch == NoNiche {
			return invalid("channels", code.NicheUnknown, "names something that is not a channel", "use "+nicheList())
		}
	}
	call.add(&ChannelsSet{Agent: p.slug, Channels: channelList(channelBits(c.Channels))})
	return nil
}

func (c *setChannels) unchanged(s *state, _ *secrets, e *Entry, _ Millis) bool {
	_, p, ok := s.party(e.Actor)
	return ok && p.agent.channels == channelBits(c.Channels)|channelsChosen
}

// checkChannel refuses what is not a channel to publish in. Decoded JSON holds
// none but the six and NoNiche; a Go caller may send any number, and one that
// has no name could not be written into an entry.
func checkChannel(ch Niche) error {
	if ch == NoNiche {
		return invalid("channel", code.ChannelMissing, "is required", "use one of "+nicheList())
	}
	return checkNiche("channel", ch)
}

// channelsChosen marks the channels of an agent that chose them at least once. An
// agent that chose none of them hears all.
const channelsChosen uint8 = 1 << 7

// subscribed returns the channels of an agent, a bit each; 0 means all.
func (a *agentRow) subscribed() uint8 { return a.channels &^ channelsChosen }

// channelBits packs niches, a bit each.
func channelBits(list []Niche) (bits uint8) {
	for _, ch := range list {
		bits |= 1 << (ch - 1)
	}
	return bits
}

// channelList unpacks them in their one order. It is never nil.
func channelList(bits uint8) []Niche {
	return slices.DeleteFunc(Niches(), func(ch Niche) bool { return bits&(1<<(ch-1)) == 0 })
}

// ChannelsSet records a subscription.
type ChannelsSet struct {
	Agent    string
	Channels []Niche
}

func (*ChannelsSet) kind() Kind { return KindAgentChannels }

func (f *ChannelsSet) asked(*pastView) (command, error) {
	return &setChannels{SetChannels{f.Channels}}, nil
}

func (f *ChannelsSet) fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	wire.List(c, "channels", &f.Channels, func(c *wire.Codec, n *Niche) { enumElement(c, (*uint8)(n), nicheNames) })
}

func (f *ChannelsSet) apply(s *state, _ *Entry) {
	if i, _, ok := s.party(f.Agent); ok {
		a := &s.parties.Change(i).agent
		a.channels = channelBits(f.Channels) | channelsChosen
		s.recent.changes++
	}
}

// SetChannels subscribes the caller to channels.
//
// Refusals: agents_only, niche_unknown.
func (ses *Session) SetChannels(ctx context.Context, in SetChannels) (ChannelsReceipt, error) {
	return run(ctx, ses, &setChannels{in}, nil, func(e *Entry) ChannelsReceipt {
		return ChannelsReceipt{Channels: channelList(channelBits(e.Fact.(*ChannelsSet).Channels)), Seq: e.Seq, At: e.At}
	})
}

// Seconds is a playing time in milliseconds. In JSON it is a number of seconds
// with at most three decimals, read and written exactly.
type Seconds int64

// String returns the seconds with as many decimals as matter.
func (d Seconds) String() string {
	s := fmt.Sprintf("%d.%03d", int64(d)/1000, int64(d)%1000)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// MarshalJSON writes a JSON number.
func (d Seconds) MarshalJSON() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalJSON reads a JSON number that is not negative.
func (d *Seconds) UnmarshalJSON(b []byte) error {
	v, err := parseFixed(string(b), 3)
	if err != nil {
		return fmt.Errorf("netkit: duration %w", err)
	}
	if v < 0 {
		return fmt.Errorf("netkit: duration is negative")
	}
	*d = Seconds(v)
	return nil
}

// AudioRef names a recording that is stored already.
type AudioRef struct {
	SHA256   Hash    `json:"sha256"`
	Type     string  `json:"type" doc:"media type, such as audio/mpeg" pattern:"^audio/[a-z0-9][a-z0-9.+-]{0,60}$"`
	Bytes    int64   `json:"bytes" minimum:"1"`
	Duration Seconds `json:"duration_s" doc:"playing time in seconds" minimum:"0"`
}

// TextRef names a transcript that is stored already.
type TextRef struct {
	SHA256 Hash   `json:"sha256"`
	Type   string `json:"type" doc:"media type, such as text/vtt" pattern:"^[a-z]+/[a-z0-9][a-z0-9.+-]{0,60}$"`
}

// Audio is a recording as a reader sees it. Whoever serves it fills in URL.
type Audio struct {
	URL string `json:"url,omitempty" doc:"where it can be fetched; signed and expiring unless it is free"`
	AudioRef
}

// Transcript is the text of a recording as a reader sees it.
type Transcript struct {
	URL string `json:"url,omitempty"`
	TextRef
}

var mediaType = regexp.MustCompile(`^[a-z]+/[a-z0-9][a-z0-9.+-]{0,60}$`)

func (a *AudioRef) check() error {
	switch {
	case a.SHA256 == Hash{}:
		return invalid("audio.sha256", code.AudioMissing, "is required", "upload the recording first and send what it answers")
	case !mediaType.MatchString(a.Type) || !strings.HasPrefix(a.Type, "audio/"):
		return invalid("audio.type", code.AudioType, "is not an audio media type", "use the type that the upload answers")
	case a.Bytes <= 0 || a.Duration < 0:
		return invalid("audio.bytes", code.AudioSize, "and duration_s must be the recording's", "send what the upload answers")
	}
	return nil
}

func (t *TextRef) check() error {
	switch {
	case t.SHA256 == Hash{}:
		return invalid("transcript.sha256", code.TranscriptMissing, "is required", "upload the transcript first and send what it answers")
	case !mediaType.MatchString(t.Type):
		return invalid("transcript.type", code.TranscriptType, "is not a media type", "use the type that the upload answers")
	}
	return nil
}

// has reports whether a dispatch names a file.
func (d *dispatch) has(file Hash) bool {
	return file != Hash{} && (file == d.audio || file == d.transcript)
}

// standing reports whether a dispatch is not erased.
func (s *state) standing(d *dispatch) bool {
	_, erased := s.erased.Get(d.id)
	return !erased
}
