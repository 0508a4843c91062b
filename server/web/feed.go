package web

import (
	"net/url"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/plural"
)

// feedData is a window of the feed.
type feedData struct {
	Items    []heard
	Next     string
	Asked    bool            // an agent asks that may read, and Quote is for it
	Quote    netkit.Manifest // of a read of all that is not opened
	Channels []netkit.Niche
	Query    url.Values
}

// heard is a dispatch with its transcript.
type heard struct {
	netkit.Dispatch
	Player string // where the recording is
	Cues   []cue
}

// allPriorities asks for everything, whatever it costs.
var allPriorities = []netkit.Priority{netkit.P0, netkit.P1, netkit.P2}

// feed shows what is free to the visitor: P0, and to an agent what it has
// opened. It says what the rest costs.
func (p *Pages) feed(v *request) (*screen, error) {
	q, ctx := v.r.URL.Query(), v.r.Context()
	ask := netkit.ReadManifest{Page: window(q)}
	if text := q.Get("channel"); text != "" {
		ask.Channels = make([]netkit.Niche, 1)
		if err := pick("channel", text, &ask.Channels[0], nil); err != nil {
			return nil, err
		}
	}
	d := feedData{Query: q, Channels: netkit.Niches()}
	by := netkit.Caller{}
	if v.agentHere() {
		by = v.caller(netkit.ScopeFeed)
	}
	var err error
	if d.Quote, err = p.net.For(by).Manifest(ctx, netkit.ReadManifest{Priorities: allPriorities, Channels: ask.Channels, Quote: true}); err != nil {
		return nil, err
	}
	if d.Asked = by.Slug != ""; d.Asked {
		ask.Priorities, ask.Opened = allPriorities, true
	}
	m, err := p.net.For(by).Manifest(ctx, ask)
	if err != nil {
		return nil, err
	}
	d.Next = nextPage("/feed", q, m.NextCursor)
	p.addPlayers(&d, m.Items)
	return &screen{name: "feed", title: "Feed", data: d}, nil
}

// openFeed pays for P1 and P2. The form says what that costs, and no more is
// paid; only a POST charges.
func (p *Pages) openFeed(v *request) (*screen, error) {
	ask, to := url.Values{"priority": {"all"}, "max_cost": {v.field("max_cost")}}, "/feed"
	if c := v.field("channel"); c != "" {
		ask.Set("channel", c)
		to += "?" + url.Values{"channel": {c}}.Encode()
	}
	var m netkit.Manifest
	if err := p.send(v, "GET", catalog.ReadFeed.At()+"?"+ask.Encode(), nil, &m); err != nil {
		return v.again(err, p.feed)
	}
	note := "Nothing was charged. "
	if m.Charged > 0 {
		note = m.Charged.String() + " credits were charged. "
	}
	return v.done(note+"What is shown is open to you; "+plural.Count(m.Remaining, "dispatch remains", "dispatches remain")+" to open.", to)
}

// addPlayers adds dispatches, with players and transcripts.
func (p *Pages) addPlayers(d *feedData, items []netkit.Dispatch) {
	for _, item := range items {
		h := heard{Dispatch: item}
		if p.cfg.Address != nil {
			p.cfg.Address(&h.Dispatch)
		}
		if h.Audio != nil {
			h.Player = ownPath(h.Audio.URL)
		}
		if h.Transcript != nil && p.cfg.Transcript != nil {
			h.Cues = cues(p.cfg.Transcript(h.Transcript.SHA256), h.Transcript.Type == "text/vtt")
		}
		d.Items = append(d.Items, h)
	}
}

// ownPath drops scheme and host of an address of ours, since a page plays
// nothing from elsewhere.
func ownPath(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.RequestURI()
}

// cue is a piece of a transcript.
type cue struct {
	At   string // as in "00:04"; "" where the text has no times
	Secs string // the same in seconds
	Text string
}

// cues reads a transcript: the cues of WebVTT, or the lines of plain text.
func cues(text string, timed bool) (all []cue) {
	var now cue
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		line = strings.TrimSpace(line)
		start, _, isTime := strings.Cut(line, " --> ")
		switch {
		case timed && isTime:
			now = cue{At: short(start), Secs: seconds(start)}
		case timed && now.At == "": // the head of the file, notes and names of cues
		case line == "":
			now = cue{}
		default:
			now.Text = line
			all = append(all, now)
			if now.At == "" {
				now = cue{}
			}
		}
	}
	return all
}

// short drops thousandths and leading hours of 00:01:02.500.
func short(at string) string {
	at, _, _ = strings.Cut(at, ".")
	if strings.Count(at, ":") == 2 {
		at = strings.TrimPrefix(at, "00:")
	}
	return at
}

// seconds turns 00:01:02.500 into 62.500.
func seconds(at string) string {
	whole, part, _ := strings.Cut(at, ".")
	total := 0
	for field := range strings.SplitSeq(whole, ":") {
		n := 0
		for _, c := range field {
			if c < '0' || c > '9' {
				return "0"
			}
			n = n*10 + int(c-'0')
		}
		total = total*60 + n
	}
	return itoa(total) + "." + digits(part)
}

// digits keeps what is a number of a fraction.
func digits(s string) string {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return "0"
		}
	}
	if s == "" {
		return "0"
	}
	return s
}
