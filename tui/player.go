package tui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
)

// players are programs that play a file and end, with what makes them silent.
var players = [][]string{
	{"mpv", "--no-video", "--really-quiet", "--no-terminal"},
	{"ffplay", "-nodisp", "-autoexit", "-loglevel", "quiet"},
	{"cvlc", "--play-and-exit", "--quiet"},
	{"mplayer", "-really-quiet", "-noconsolecontrols"},
	{"afplay"}, {"paplay"}, {"aplay", "-q"},
}

// player plays one dispatch at a time.
type player struct {
	id     uint64 // dispatch that plays, or whose transcript is shown
	cancel context.CancelFunc
	began  time.Time // zero unless it plays
	length time.Duration
	over   bool // it ended by itself
	cues   []cue
	note   string
	dir    string // where the recording is while it plays
	line   int    // of what was drawn last, at which it is; -1 for none
}

// stop ends what plays.
func (p *player) stop() {
	if p.cancel != nil {
		p.cancel()
	}
	if p.dir != "" {
		_ = os.RemoveAll(p.dir) // in the folder for such files
	}
	*p = player{}
}

// findPlayer is the first player on this machine.
func (m *model) findPlayer() ([]string, error) {
	for _, p := range players {
		if path, err := m.cfg.LookPath(p[0]); err == nil {
			return append([]string{path}, p[1:]...), nil
		}
	}
	return nil, errors.New("no player was found; install mpv, ffplay or vlc")
}

// playOrStop plays a dispatch, or stops it if it plays.
func (m *model) playOrStop(d *netkit.Dispatch) tea.Cmd {
	switch {
	case d == nil:
		return nil
	case m.player.id == d.ID && !m.player.over:
		m.player.stop()
		m.note = "stopped"
		return nil
	case d.Audio == nil:
		m.note = "this dispatch has no recording"
		return nil
	}
	m.player.stop()
	ctx, cancel := context.WithCancel(m.ctx)
	m.player = player{id: d.ID, cancel: cancel, note: "fetching the recording …", length: time.Duration(d.Audio.Duration) * time.Millisecond}
	m.feed.open, m.feed.scroll = true, 0
	cmd, missing := m.findPlayer()
	item := *d
	return tea.Batch(m.fetchTranscript(&item), m.call(func(context.Context) done {
		if missing != nil {
			return m.played(ctx, "", missing, nil)
		}
		file, err := m.fetchAudio(ctx, &item)
		return m.played(ctx, file, err, func() error { return exec.CommandContext(ctx, cmd[0], append(cmd[1:], file)...).Run() })
	}))
}

// played takes note that a recording is there and plays it. The context is
// over once it was stopped, also when the same one is played again meanwhile.
func (m *model) played(ctx context.Context, file string, err error, play func() error) done {
	return func(m *model) tea.Cmd {
		if ctx.Err() != nil {
			return remove(file)
		}
		if err != nil {
			m.player.note, m.player.over = "not played: "+plain(err), true
			return remove(file)
		}
		m.player.began, m.player.note, m.player.dir = m.cfg.Now(), "", filepath.Dir(file)
		return m.wait(m.call(func(context.Context) done {
			err := errors.Join(play(), os.RemoveAll(filepath.Dir(file)))
			return func(m *model) tea.Cmd {
				if ctx.Err() == nil {
					m.player.finish(m.cfg.Now(), err)
				}
				return nil
			}
		}))
	}
}

// finish says how the playing went. Players without a sound device end at once
// and call that a success.
func (p *player) finish(now time.Time, err error) {
	switch ran := now.Sub(p.began); {
	case err != nil:
		p.note = "the player failed: " + plain(err)
	case ran < p.length*4/5:
		p.note = fmt.Sprintf("the player ended after %s of %s; is there a sound device?", span(ran), span(p.length))
	default:
		p.note = "played to the end"
	}
	p.began, p.over = time.Time{}, true
}

func remove(file string) tea.Cmd {
	return func() tea.Msg {
		if file != "" {
			_ = os.RemoveAll(filepath.Dir(file)) // in the folder for such files
		}
		return nil
	}
}

// fetchAudio stores a recording in a folder of its own.
func (m *model) fetchAudio(ctx context.Context, d *netkit.Dispatch) (file string, err error) {
	dir, err := os.MkdirTemp("", "netctl-play-")
	if err != nil {
		return "", err
	}
	ext := map[string]string{"audio/mpeg": ".mp3", "audio/wav": ".wav", "audio/x-wav": ".wav", "audio/ogg": ".ogg"}[d.Audio.Type]
	file = filepath.Join(dir, "dispatch"+ext)
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return file, err
	}
	_, err = m.cfg.Network.Download(ctx, d.Audio.URL, f)
	return file, errors.Join(err, f.Close())
}

func (m *model) fetchTranscript(d *netkit.Dispatch) tea.Cmd {
	if d.Transcript == nil {
		m.player.cues = []cue{{text: d.Summary}}
		return nil
	}
	id, at := d.ID, d.Transcript.URL
	return m.call(func(ctx context.Context) done {
		var b bytes.Buffer
		_, err := m.cfg.Network.Download(ctx, at, &b)
		return func(m *model) tea.Cmd {
			if m.player.id == id {
				m.player.cues = readCues(b.String())
				if err != nil {
					m.player.cues = []cue{{text: "The transcript could not be fetched: " + plain(err)}}
				}
			}
			return nil
		}
	})
}

// draw shows the transcript with a mark at what is being said.
func (p *player) draw(m *model, w int) []string {
	now := time.Duration(-1)
	p.line = -1
	head := p.note
	if !p.began.IsZero() {
		now = m.cfg.Now().Sub(p.began)
		m.freshFor(time.Second)
		head = fmt.Sprintf("► playing, %d:%02d; p stops", int(now.Minutes()), int(now.Seconds())%60)
	}
	var lines []string
	for _, s := range wrap(head, w) {
		lines = append(lines, m.th.good.Render(fit(s, w)))
	}
	lines = append(lines, "", m.th.title.Render("Transcript (by the author)"))
	for _, c := range p.cues {
		mark, style := "  ", m.th.dim
		if now >= c.from && now < c.to {
			mark, style = "> ", m.th.on
			p.line = len(lines)
		}
		for i, s := range wrap(clean(c.text), w-2) {
			if i > 0 {
				mark = "  "
			}
			lines = append(lines, style.Render(mark+s))
		}
	}
	return lines
}

// cue is a stretch of a transcript. One without times is plain text.
type cue struct {
	from, to time.Duration
	text     string
}

// readCues reads WebVTT; whatever is not that is one cue of plain text.
func readCues(s string) []cue {
	s = strings.ReplaceAll(strings.TrimPrefix(s, "\ufeff"), "\r\n", "\n")
	if !strings.HasPrefix(s, "WEBVTT") {
		return []cue{{text: s}}
	}
	var out []cue
	for block := range strings.SplitSeq(s, "\n\n") {
		lines := strings.Split(strings.Trim(block, "\n"), "\n")
		for i, l := range lines {
			from, rest, ok := strings.Cut(l, " --> ")
			if !ok {
				continue
			}
			to, _, _ := strings.Cut(rest, " ")
			out = append(out, cue{stamp(from), stamp(to), untag(strings.Join(lines[i+1:], " "))})
			break
		}
	}
	return out
}

// stamp reads a time of WebVTT, [hours:]minutes:seconds.thousandths.
func stamp(s string) time.Duration {
	var total time.Duration
	parts := strings.Split(strings.TrimSpace(s), ":")
	for _, p := range parts[:len(parts)-1] {
		n, _ := time.ParseDuration(p + "s")
		total = (total + n) * 60
	}
	n, _ := time.ParseDuration(parts[len(parts)-1] + "s")
	return total + n
}

// untag takes the tags of WebVTT out of a cue, as in <v Ada>.
func untag(s string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "<")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		_, s, _ = strings.Cut(rest, ">")
	}
}
