package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/archive"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/private"
	"github.com/agentnet/netctl/netkit/rules"
)

// ArchiveConfig configures the archive of the journal. Store and Recipients are required.
type ArchiveConfig struct {
	Store      archive.Store
	Recipients []string      // of age, to whom the private side is encrypted
	Sync       bool          // acknowledge only what is in the archive
	Patience   time.Duration // stop writing while no request has succeeded for so long; 0 never
	Settings   string        // file with the configuration; "" leaves it out
	Address    string        // of Store; the folder keeps it, see [ArchiveAddress]
}

// archiveFile keeps who writes the archive in a folder; see [archive.Identity].
const archiveFile = "archive.json"

func readIdentity(dir string) (id archive.Identity, err error) {
	text, err := os.ReadFile(filepath.Join(dir, archiveFile))
	if errors.Is(err, fs.ErrNotExist) {
		return id, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &id)
	}
	if err != nil {
		err = fmt.Errorf("host: %s cannot be read: %w; if this folder is to write the archive, remove the file and run netctl follow --take-over", filepath.Join(dir, archiveFile), err)
	}
	return id, err
}

// keptArchive is the content of archiveFile.
type keptArchive struct {
	archive.Identity
	Address string `json:"address,omitempty"`
}

// ArchiveAddress returns the address of the archive to which a folder was copied last,
// "" if there was none.
func ArchiveAddress(dir string) string {
	var kept keptArchive
	text, err := os.ReadFile(filepath.Join(dir, archiveFile))
	if err == nil && json.Unmarshal(text, &kept) == nil {
		return kept.Address
	}
	return ""
}

func keepIdentity(dir, address string, id archive.Identity) error {
	text, err := json.Marshal(keptArchive{id, address})
	if err != nil {
		return err
	}
	return private.WriteFile(filepath.Join(dir, archiveFile), append(text, '\n'))
}

// openArchive begins to archive the journal of the folder.
func (cfg *Config) openArchive(ctx context.Context, h *Host) error {
	recipients, err := ParseRecipients(cfg.Archive.Recipients)
	if err != nil {
		return err
	}
	network, key, err := foundation(ctx, h.Store)
	if err != nil {
		return err
	}
	id, err := readIdentity(cfg.Dir)
	if err != nil {
		return err
	}
	files := &BackupConfig{Dir: cfg.Dir, Settings: cfg.Archive.Settings}
	w, err := archive.Open(ctx, archive.Config{Store: cfg.Archive.Store, Journal: h.Store, Network: network, Key: key, Recipients: recipients,
		ID: id, Keep: func(id archive.Identity) error { return keepIdentity(cfg.Dir, cfg.Archive.Address, id) },
		Every:      cfg.Archive.every(),
		Reached:    cfg.Archive.Sync || h.Fresh != nil,
		Checkpoint: func() ([]byte, error) { return readIfThere(filepath.Join(cfg.Dir, shownFile)) },
		Entry:      archivedEntry,
		Recording:  func(file netkit.Hash) ([]byte, error) { return readRecording(cfg.Dir, file) },
		Erased:     h.erasedFiles,
		Files:      files.archivedFiles, Alarm: cfg.Alarm, Now: cfg.Now})
	if err != nil {
		return err
	}
	h.archived.writer.Store(w)
	if cfg.Archive.Address == ArchiveAddress(cfg.Dir) {
		return nil
	}
	if id, err = readIdentity(cfg.Dir); err != nil {
		return err
	}
	return keepIdentity(cfg.Dir, cfg.Archive.Address, id)
}

// checkNew refuses an archive in which there is something already, before a network
// begins.
func (a *ArchiveConfig) checkNew(ctx context.Context) error {
	empty, err := archive.Empty(ctx, a.Store)
	if err == nil && !empty {
		err = fmt.Errorf("%w: %s holds a network already, and this folder none; restore it with netctl restore stage, or follow it", archive.ErrUnfit, a.Store)
	}
	return err
}

// every is the least time between two objects. Commands that wait for an object do not
// wait for a second as well.
func (a *ArchiveConfig) every() time.Duration {
	if a.Sync {
		return time.Millisecond
	}
	return time.Second
}

// archivedEntry reads the properties of an entry that matter to an archive.
func archivedEntry(seq uint64, public []byte) (out archive.Entry, err error) {
	var e rules.Entry
	if err := e.Read(public); err != nil {
		return out, fmt.Errorf("%w: entry %d: %w", netkit.ErrCorrupt, seq, err)
	}
	out.At = e.At
	if erased, ok := rules.ErasedBy(e.Fact); ok {
		out.Erases = &erased
	}
	if f, ok := e.Fact.(*rules.Published); ok {
		out.Open = f.Priority == netkit.P0
		for _, file := range []netkit.Hash{f.Audio.SHA256, f.Transcript.SHA256} {
			if file != (netkit.Hash{}) {
				out.Recordings = append(out.Recordings, file)
			}
		}
	}
	return out, nil
}

func recordingPath(dir string, file netkit.Hash) string {
	return filepath.Join(dir, "audio", file.String()[:2], file.String())
}

func readRecording(dir string, file netkit.Hash) ([]byte, error) {
	content, err := os.ReadFile(recordingPath(dir, file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: the recording %s", archive.ErrNotFound, file)
	}
	return content, err
}

// archivedFiles reads the small files of the folder.
func (cfg *BackupConfig) archivedFiles() (map[string][]byte, error) {
	kept, err := keptCheckpoints(cfg.Dir)
	if err != nil {
		return nil, err
	}
	delete(kept, filepath.Join(cfg.Dir, signedFile)) // it changes with each object, which holds one
	files, err := cfg.smallFiles(kept)
	all := map[string][]byte{}
	for _, f := range files {
		content := f.Content
		if content == nil && err == nil {
			content, err = readIfThere(f.Source)
		}
		if content != nil {
			all[f.Path] = content
		}
	}
	return all, err
}

// erasedFiles returns the recordings that go with an erased entry, once the network
// is open.
func (h *Host) erasedFiles(ctx context.Context, entry uint64) ([]netkit.Hash, error) {
	select {
	case <-h.archived.ready:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return h.Network.ErasedFiles(ctx, entry)
}

// Archive returns how far the archive has come, and whether there is one.
func (h *Host) Archive() (archive.Status, bool) {
	if h.archived == nil || h.archived.writer.Load() == nil {
		return archive.Status{}, false
	}
	return h.archived.writer.Load().Status(), true
}

// archivedStore is the journal of a folder that is archived. Its writes are refused
// once another folder writes the archive, and while the archive has been out of reach
// for longer than patience.
type archivedStore struct {
	*spacedStore
	sync     bool
	patience time.Duration
	writer   atomic.Pointer[archive.Writer] // nil before there is a first entry
	ready    chan struct{}                  // closed when the network is open
	stopped  atomic.Bool                    // the latest append was refused

	mu    sync.Mutex
	doubt *unarchived // the last batch, while it is not known to be in the archive
}

// unarchived is a batch that is in the folder.
type unarchived struct{ at, next journal.Head }

// archiveWait is how long a write waits for the archive before its outcome is
// unknown.
const archiveWait = 5 * time.Second

// Head implements journal.Store. With sync it is the head of the archive.
func (s *archivedStore) Head(ctx context.Context) (journal.Head, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.doubt != nil {
		return s.doubt.at, nil
	}
	return s.spacedStore.Head(ctx)
}

// Append implements journal.Store.
func (s *archivedStore) Append(ctx context.Context, at journal.Head, b journal.Batch) (journal.Head, error) {
	w := s.writer.Load()
	if w == nil {
		return s.spacedStore.Append(ctx, at, b)
	}
	s.mu.Lock()
	doubt := s.doubt
	s.mu.Unlock()
	if doubt != nil && doubt.at == at {
		return s.await(ctx, w, doubt)
	}
	if (!b.Empty() || s.stopped.Load()) && !s.open.Load() {
		err := s.refusal(w)
		s.stopped.Store(err != nil)
		if err != nil {
			return journal.Head{}, err
		}
	}
	if !s.sync || b.Empty() {
		next, err := s.spacedStore.Append(ctx, at, b)
		if err == nil {
			w.Advance(next.Size)
		}
		return next, err
	}
	s.mu.Lock() // no reader sees the head of the folder before that of the archive
	next, err := s.spacedStore.Append(ctx, at, b)
	if err == nil {
		doubt = &unarchived{at, next}
		s.doubt = doubt
	}
	s.mu.Unlock()
	if err != nil {
		return next, err
	}
	w.Advance(next.Size)
	return s.await(ctx, w, doubt)
}

// await waits until a batch is in the archive.
func (s *archivedStore) await(ctx context.Context, w *archive.Writer, b *unarchived) (journal.Head, error) {
	ctx, cancel := context.WithTimeout(ctx, archiveWait)
	defer cancel()
	if err := w.Wait(ctx, b.next.Size); err != nil {
		return journal.Head{}, fmt.Errorf("%w: it is in the folder and not known to be in the archive: %w", journal.ErrDoubtful, err)
	}
	s.mu.Lock()
	s.doubt = nil
	s.mu.Unlock()
	return b.next, nil
}

// refusal returns why nothing may be written, nil if it may.
func (s *archivedStore) refusal(w *archive.Writer) error {
	if err := w.Err(); err != nil {
		return err
	}
	if status := w.Status(); s.patience > 0 && status.Failing > s.patience {
		return fmt.Errorf("host: the archive has been out of reach for %s, longer than serve.archive-patience: %s", status.Failing.Round(time.Second), status.Problem)
	}
	return nil
}

// closeArchive uploads the rest. A bucket out of reach costs a stop no more than this.
const archiveClose = 30 * time.Second

func (h *Host) closeArchive(ctx context.Context) error {
	if h.archived == nil {
		return nil
	}
	w := h.archived.writer.Load()
	if w == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, archiveClose)
	defer cancel()
	err := w.Close(ctx)
	if err != nil && h.alarm != nil {
		h.alarm(err)
		return nil
	}
	return err
}
