package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/private"
	"github.com/agentnet/netctl/netkit/proof"
)

// Seen is the folder in which an auditor keeps what it was shown, a file for
// each log. It lies on the auditor's machine, so that no operator can change it.
type Seen string

// sight is what was seen of a log.
type sight struct {
	Origin     string        `json:"origin"`
	Key        string        `json:"key"`
	Checkpoint string        `json:"checkpoint" doc:"as it was signed"`
	At         netkit.Millis `json:"at"`
	From       []string      `json:"from" doc:"where it was found"`
}

func (s Seen) file(origin string) string {
	return filepath.Join(string(s), url.PathEscape(origin)+".json")
}

// read returns what was seen of a log; nil is nothing.
func (s Seen) read(origin string) (*sight, error) {
	b, err := os.ReadFile(s.file(origin))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := new(sight)
	if err = json.Unmarshal(b, out); err == nil {
		err = out.check(origin)
	}
	if err != nil {
		return nil, fmt.Errorf("audit: %s is not what this program wrote: %w; restore it from a copy, or remove it and get the key of the log again from somebody you trust, for --key", s.file(origin), err)
	}
	return out, nil
}

// check refuses what would make a first visit of a second one: a file that
// tells of no key, of no checkpoint, or of another log.
func (s *sight) check(origin string) error {
	if s.Origin != origin {
		return fmt.Errorf("it is about the log %q", s.Origin)
	}
	p, err := proof.NewPolicy(s.Key, nil, 0)
	if err != nil {
		return err
	}
	_, err = proof.OpenCheckpoint(p, []byte(s.Checkpoint))
	return err
}

// at returns the log that was seen at an address, "" for none. Demos and
// sandboxes do not count: each is a network of its own.
func (s Seen) at(from string) (string, error) {
	files, err := os.ReadDir(string(s))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	for _, f := range files {
		escaped, ours := strings.CutSuffix(f.Name(), ".json")
		origin, err := url.PathUnescape(escaped)
		if !ours || err != nil {
			continue // of somebody else
		}
		was, err := s.read(origin)
		if err != nil {
			return "", err
		}
		if was != nil && !proof.IsThrowaway(origin) && slices.Contains(was.From, from) {
			return was.Origin, nil
		}
	}
	return "", nil
}

// write returns once what was seen outlives a loss of power.
func (s Seen) write(was *sight) error {
	b, err := json.MarshalIndent(was, "", "  ")
	if err != nil {
		return err
	}
	return private.WriteFile(s.file(was.Origin), append(b, '\n'))
}

// key settles by whose key the log is checked: the one given, the one that it
// was seen with before, or the one that genesis names.
func (r *run) key(ctx context.Context, checkpoint []byte) (string, error) {
	if r.cfg.Key != "" {
		r.report.KeyFrom = "given"
		return r.cfg.Key, nil
	}
	said, err := torchwood.ParseCheckpoint(unsigned(checkpoint))
	if err != nil {
		return "", fmt.Errorf("%w: %s serves no checkpoint: %w", ErrUnsigned, r.cfg.From, err)
	}
	was, err := r.cfg.Seen.read(said.Origin)
	if err != nil {
		return "", err
	}
	if was != nil {
		r.report.KeyFrom = "seen before"
		return was.Key, nil
	}
	if was, err := r.cfg.Seen.at(r.cfg.From); err != nil || was != "" {
		return "", errors.Join(err, fmt.Errorf("%w: %s showed the log %q before and shows %q now; give --key if that is right", ErrRewritten, r.cfg.From, was, said.Origin))
	}
	r.report.KeyFrom = "genesis, taken on trust this first time"
	return r.genesisKey(ctx, said.N)
}

// unsigned is the text of a note without its signatures.
func unsigned(note []byte) string {
	for i := range note {
		if string(note[i:min(len(note), i+2)]) == "\n\n" {
			return string(note[:i+1])
		}
	}
	return string(note)
}

// genesisKey reads the key that entry 0 names. That the checkpoint it signs
// holds this very entry is checked with all others.
func (r *run) genesisKey(ctx context.Context, size int64) (string, error) {
	if size <= 0 {
		return "", fmt.Errorf("%w: %s has no entries", ErrUnsigned, r.cfg.From)
	}
	width := min(size, torchwood.TileWidth)
	tiles, err := r.cfg.Log.ReadTiles(ctx, dataTiles(0, int(width)))
	if err != nil {
		return "", fmt.Errorf("audit: reading the first entries of %s: %w", r.cfg.From, err)
	}
	entry, _, err := torchwood.ReadTileEntry(tiles[0])
	if err != nil {
		return "", fmt.Errorf("%w: entry 0: %w", netkit.ErrCorrupt, err)
	}
	key := logKey(entry)
	if key == "" {
		return "", fmt.Errorf("%w: genesis names no key; give --key", ErrUnsigned)
	}
	return key, nil
}

// remember finds the checkpoints that this history has to continue.
func (r *run) remember(context.Context) error {
	was, err := r.cfg.Seen.read(r.report.Origin)
	if err != nil {
		return err
	}
	if was != nil {
		if was.Key != r.report.Key {
			return fmt.Errorf("%w: %s had the key %s when it was seen last", ErrUnsigned, was.Origin, was.Key)
		}
		r.report.Continues = &was.At
		if err := r.passes([]byte(was.Checkpoint), "the checkpoint kept on "+was.At.String()); err != nil {
			return err
		}
	}
	if r.cfg.Against == nil {
		return nil
	}
	return r.passes(r.cfg.Against, "the checkpoint that somebody else was shown")
}

// passes notes that the tree must be the one of a signed checkpoint where it
// has that size.
func (r *run) passes(text []byte, who string) error {
	alone, err := proof.NewPolicy(r.report.Key, nil, 0)
	if err != nil {
		return err
	}
	c, err := proof.OpenCheckpoint(alone, text)
	if err != nil {
		return unsuited(who, err)
	}
	if c.N > r.head.N {
		return fmt.Errorf("%w: %s counts %d entries, and now there are %d", ErrShortened, who, c.N, r.head.N)
	}
	r.known = append(r.known, known{c.Tree, who})
	return nil
}

// unsuited says what is wrong with a checkpoint that was to be compared. What is
// none, or is of another log, says nothing about this one.
func unsuited(who string, err error) error {
	if errors.Is(err, proof.ErrFormat) || errors.Is(err, proof.ErrOrigin) {
		return fmt.Errorf("audit: %s is not a checkpoint of this log: %w", who, err)
	}
	return fmt.Errorf("%w: %s: %w", ErrUnsigned, who, err)
}

// accuse keeps the signed checkpoint of a history that was rewritten beside the
// one seen before: both are signed by the log, and together they prove it to
// anybody.
func (r *run) accuse(err error) error {
	if !errors.Is(err, ErrRewritten) || r.text == nil {
		return err
	}
	evidence := r.cfg.Seen.file(r.report.Origin) + ".rewritten"
	if failed := errors.Join(os.MkdirAll(string(r.cfg.Seen), 0o700), os.WriteFile(evidence, r.text, 0o600)); failed != nil {
		return errors.Join(err, failed)
	}
	return fmt.Errorf("%w; what it signs now is kept in %s, and together with what was signed before that is proof", err, evidence)
}

// keep keeps the newest checkpoint. What was seen never goes back to an older
// one, such as an operator may have left beside a journal, or an audit that took
// longer than another at the same time.
func (r *run) keep(context.Context) error {
	now := &sight{Origin: r.report.Origin, Key: r.report.Key, Checkpoint: string(r.text), At: netkit.At(r.cfg.Now()), From: []string{r.cfg.From}}
	was, err := r.cfg.Seen.read(now.Origin)
	if err != nil {
		return err
	}
	if was == nil {
		return r.cfg.Seen.write(now)
	}
	if now.From = was.From; !slices.Contains(was.From, r.cfg.From) {
		now.From = append(was.From, r.cfg.From)
	}
	before, here := treeOf(was.Checkpoint), treeOf(now.Checkpoint)
	switch {
	case before.N == here.N && before.Hash != here.Hash:
		return fmt.Errorf("%w: another audit kept another root of %d entries meanwhile", ErrRewritten, here.N)
	case before.N > here.N:
		now.Checkpoint = was.Checkpoint
	}
	return r.cfg.Seen.write(now)
}

// treeOf is the tree of a checkpoint that was verified.
func treeOf(text string) tlog.Tree {
	c, err := torchwood.ParseCheckpoint(unsigned([]byte(text)))
	if err != nil {
		return tlog.Tree{}
	}
	return c.Tree
}
