package host

import (
	"context"
	"crypto/hmac"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/private"
	"github.com/agentnet/netctl/netkit/proof"
	"github.com/agentnet/netctl/netkit/rules"
	"github.com/agentnet/netctl/server/audio"
)

// A repair takes a file from a copy if a key, a signature or a hash in the journal
// proves that it is the one that was lost, and leaves it missing otherwise.

// Repaired is a finding of a repair.
type Repaired struct {
	What  string `json:"what"`
	Done  bool   `json:"done"`            // it was put back
	Still string `json:"still,omitempty"` // the reason where it was not
}

// repair is a repair under way.
type repair struct {
	dir, from string // from is "" without a copy
	store     *sqlite.Store
	key       string // public key of the log
	found     []Repaired
}

// Repair restores missing and damaged files of the folder of a network from another
// folder of the same network: an old disk, a follower, an unpacked backup or archive.
// Without one, "", it restores only files that the folder itself determines. It refuses
// a folder on which a server runs. A sound folder has no findings.
func Repair(ctx context.Context, dir, from string) (found []Repaired, err error) {
	if err := checkUnwritten(dir); err != nil {
		return nil, err
	}
	r := &repair{dir: dir, from: from}
	if err := r.openJournal(ctx); err != nil {
		return r.found, err
	}
	defer func() {
		if r.store != nil {
			err = errors.Join(err, r.store.Close())
		}
	}()
	if err := r.checkSource(ctx); err != nil {
		return nil, err
	}
	for _, step := range []func(context.Context) error{r.journal, r.logKey, r.signingKey, r.checkpoint, r.recordings} {
		if err := step(ctx); err != nil {
			return r.found, err
		}
	}
	return r.found, nil
}

// checkUnwritten refuses a folder that another process writes. One that begins to later
// ends the repair, whose reads then fail.
func checkUnwritten(dir string) error {
	lock, err := sqlite.LockFolder(dir)
	if err != nil {
		return err
	}
	return lock.Close()
}

// openJournal opens the journal for reading, and reads whose it is.
func (r *repair) openJournal(ctx context.Context) (err error) {
	if r.store, err = sqlite.Open(ctx, sqlite.Config{Dir: r.dir, ReadOnly: true}); err != nil {
		return fmt.Errorf("host: the journal cannot be opened, and nothing else can be checked without it: %w; restore the network with netctl restore", err)
	}
	if _, r.key, err = foundation(ctx, r.store); err != nil {
		err = errors.Join(fmt.Errorf("host: entry 0 cannot be read: %w; restore the network with netctl restore", err), r.store.Close())
	}
	return err
}

// checkSource refuses a copy of another network.
func (r *repair) checkSource(ctx context.Context) (err error) {
	if r.from == "" {
		return nil
	}
	store, err := sqlite.Open(ctx, sqlite.Config{Dir: r.from, ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	_, key, err := foundation(ctx, store)
	if err == nil && key != r.key {
		err = fmt.Errorf("host: %s is of another network: its log is signed with %s, and this one with %s", r.from, key, r.key)
	}
	return err
}

// done adds the finding of a file that was put back, left that of one that was not.
func (r *repair) done(format string, args ...any) {
	r.found = append(r.found, Repaired{What: fmt.Sprintf(format, args...), Done: true})
}

func (r *repair) left(what, why string) {
	r.found = append(r.found, Repaired{What: what, Still: why})
}

// source reads a small file of the copy, nil without one.
func (r *repair) source(name string) ([]byte, error) {
	if r.from == "" {
		return nil, nil
	}
	return readIfThere(filepath.Join(r.from, name))
}

// logKey restores log.key, whose public half entry 0 names, and log.pub after it.
func (r *repair) logKey(context.Context) error {
	if r.key == "" {
		return nil // from before logs were signed
	}
	own := func(text []byte) bool {
		public, err := proof.PublicKey(strings.TrimSpace(string(text)))
		return err == nil && public == r.key
	}
	if err := r.smallFile("log.key", own, "no copy has the key that entry 0 names: "+r.key); err != nil {
		return err
	}
	public, err := readIfThere(filepath.Join(r.dir, publicFile))
	if err == nil && strings.TrimSpace(string(public)) != r.key {
		if err = writePublic(r.dir, r.key); err == nil {
			r.done("log.pub was written again, as entry 0 names it")
		}
	}
	return err
}

// signingKey restores signing.key, which is bound to log.key.
func (r *repair) signingKey(context.Context) error {
	log, err := readIfThere(filepath.Join(r.dir, "log.key"))
	if err != nil || log == nil {
		return err
	}
	bind := boundTo(strings.TrimSpace(string(log)))
	own := func(text []byte) bool {
		return len(text) > audio.KeySize && hmac.Equal(text[audio.KeySize:], bind(text[:audio.KeySize]))
	}
	return r.smallFile(signingKeyFile, own, "no copy has one that is bound to log.key; remove a damaged one, and the next start makes another: links to recordings and invitations end")
}

// smallFile restores a file that is missing or not this network's own.
func (r *repair) smallFile(name string, own func(text []byte) bool, why string) error {
	path := filepath.Join(r.dir, name)
	text, err := readIfThere(path)
	if err != nil || text != nil && own(text) {
		return err
	}
	state := "is missing"
	if text != nil {
		state = "is damaged"
	}
	from, err := r.source(name)
	switch {
	case err != nil:
		return err
	case from == nil || !own(from):
		r.left(name+" "+state, why)
		return nil
	}
	if err := private.WriteFile(path, from); err != nil {
		return err
	}
	r.done("%s %s: it was taken from the copy", name, strings.Replace(state, "is", "was", 1))
	return nil
}

// checkpoint restores the checkpoint from that of the copy, if the journal agrees with
// it.
func (r *repair) checkpoint(ctx context.Context) error {
	kept, err := keptCheckpoints(r.dir)
	if err != nil || r.key == "" {
		return err
	}
	for path, text := range kept {
		if err := proof.CheckStart(ctx, r.store, r.key, text); err != nil {
			r.left(filepath.Base(path)+" does not agree with the journal", err.Error())
			return nil
		}
	}
	missing := missingCheckpoint(r.dir, kept)
	if missing == "" {
		return nil
	}
	from, err := r.source(missing)
	if from == nil && err == nil {
		from, err = r.source(shownFile)
	}
	if err != nil {
		return err
	}
	if from == nil {
		r.left(missing+" is missing", "no copy has one; a start needs --accept-loss")
		return nil
	}
	if err := proof.CheckStart(ctx, r.store, r.key, from); err != nil {
		r.left(missing+" is missing", "the journal does not agree with that of the copy: "+err.Error())
		return nil
	}
	if err := private.WriteFile(filepath.Join(r.dir, missing), from); err != nil {
		return err
	}
	r.done("%s was taken from the copy; it says nothing of entries that were written after it", missing)
	return nil
}

// recordings restores the recordings and transcripts that standing dispatches name.
func (r *repair) recordings(ctx context.Context) error {
	named, err := namedRecordings(ctx, r.store)
	if err != nil {
		return err
	}
	for seq, hashes := range named {
		for _, hash := range hashes {
			if err := r.recording(seq, hash); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *repair) recording(seq uint64, hash netkit.Hash) error {
	wrong := checkRecording(r.dir, hash)
	if wrong == nil {
		return nil
	}
	what := fmt.Sprintf("the recording or transcript %s of dispatch %d", hash, seq)
	if r.from == "" || checkRecording(r.from, hash) != nil {
		r.left(what, "no copy has it whole")
		return nil
	}
	if err := copyFile(recordingPath(r.from, hash), recordingPath(r.dir, hash)); err != nil {
		return err
	}
	r.done("%s was taken from the copy", what)
	return nil
}

// copyFile copies a file, whose new name appears when it is whole.
func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	out, err := os.CreateTemp(filepath.Dir(to), private.Unfinished)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Sync(), out.Close()); err == nil {
		err = os.Rename(out.Name(), to)
	}
	if err != nil {
		return errors.Join(err, os.Remove(out.Name()))
	}
	return private.SyncFolder(filepath.Dir(to))
}

// namedRecordings returns the recordings and transcripts that dispatches name, without
// those that were erased.
func namedRecordings(ctx context.Context, store *sqlite.Store) (map[uint64][]netkit.Hash, error) {
	named := map[uint64][]netkit.Hash{}
	for r, err := range store.Read(ctx, 0, math.MaxUint64) {
		if err != nil {
			return nil, err
		}
		e, err := rules.ReadEntry(r)
		if err != nil {
			return nil, err
		}
		if erased, ok := rules.ErasedBy(e.Fact); ok {
			delete(named, erased)
		}
		if f, ok := e.Fact.(*rules.Published); ok {
			for _, hash := range []netkit.Hash{f.Audio.SHA256, f.Transcript.SHA256} {
				if hash != (netkit.Hash{}) {
					named[e.Seq] = append(named[e.Seq], hash)
				}
			}
		}
	}
	return named, nil
}
