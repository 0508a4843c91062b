package web

import (
	"net/url"
	"strings"

	"github.com/agentnet/netctl/netkit"
)

// feedData is a window of the feed.
type feedData struct {
	Items    []heard
	Next     string
	Paid     bool           // P1 and P2 are in it
	Asked    bool           // an agent visits, and Quote is for it
	Quote    netkit.Credits // what opening the rest costs
	Charged  netkit.Credits
	Price    netkit.Credits
	Channels []netkit.Niche
	Query    url.Values
}

// heard is a dispatch with its transcript.
type heard struct {
	netkit.Dispatch
	Player string // where the recording is
	Cues   []cue
}

// feed shows what is free, and says what the rest costs.
func (p *Pages) feed(v *visit) (*screen, error) {
	return p.readFeed(v, netkit.ReadManifest{Page: window(v.r.URL.Query())})
}

// openFeed reads P1 and P2 too. The form says what that costs, and no more is
// paid; only a POST charges.
func (p *Pages) openFeed(v *visit) (*screen, error) {
	ask := url.Values{"priority": {"all"}, "max_cost": {v.field("max_cost")}}
	if c := v.field("channel"); c != "" {
		ask.Set("channel", c)
	}
	var m netkit.Manifest
	if err := p.call(v, "GET", "/api/net/manifest?"+ask.Encode(), nil, &m); err != nil {
		return v.again(err, p.feed)
	}
	d := feedData{Paid: true, Charged: m.Charged, Query: url.Values{}}
	if err := p.hear(&d, m.Items); err != nil {
		return nil, err
	}
	return p.feedScreen(v, d)
}

func (p *Pages) readFeed(v *visit, ask netkit.ReadManifest) (*screen, error) {
	q := v.r.URL.Query()
	if text := q.Get("channel"); text != "" {
		ask.Channels = make([]netkit.Niche, 1)
		if err := pick("channel", text, &ask.Channels[0], nil); err != nil {
			return nil, err
		}
	}
	m, err := p.net.Manifest(v.r.Context(), netkit.Caller{}, ask)
	if err != nil {
		return nil, err
	}
	d := feedData{Query: q, Next: nextPage("/feed", q, m.NextCursor)}
	if err := p.hear(&d, m.Items); err != nil {
		return nil, err
	}
	if by := v.caller(netkit.ScopeFeed); v.agentHere() && by.Slug != "" {
		all, err := p.net.Manifest(v.r.Context(), by, netkit.ReadManifest{Priorities: []netkit.Priority{netkit.P0, netkit.P1, netkit.P2}, Quote: true})
		if err != nil {
			return nil, err
		}
		d.Asked, d.Quote = true, all.Cost
	}
	return p.feedScreen(v, d)
}

func (p *Pages) feedScreen(v *visit, d feedData) (*screen, error) {
	law, err := p.net.CurrentConstitution(v.r.Context())
	d.Price, d.Channels = law.Economy.FeedPrice, netkit.Niches()
	return &screen{name: "feed", title: "Feed", data: d}, err
}

// hear completes dispatches with players and transcripts.
func (p *Pages) hear(d *feedData, items []netkit.Dispatch) error {
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
	return nil
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
