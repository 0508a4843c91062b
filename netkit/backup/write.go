package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"slices"
	"time"

	"filippo.io/age"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/timespan"
)

// Config says what to back up. All fields but those that say so are required.
type Config struct {
	Journal    journal.Copier
	Network    string // its id
	Key        string // public key of its log; "" without one
	Checkpoint []byte // the last signed one, read before Journal is; nil without one
	// Recordings and Files return the files to back up, once the entries are
	// written: an entry never names a recording that is not there.
	Recordings func() ([]File, error)
	Files      func() ([]File, error)

	Recipients []age.Recipient // of all members
	Names      []string        // of the recipients, for the manifest
	Drill      age.Recipient   // of public members too; nil is nobody
	Now        func() time.Time
	// Progress is called with the entries written and their total; nil shows nothing.
	Progress func(done, total uint64)
}

// File is a file to back up. A file that is gone by the time it is read is left out.
type File struct {
	Path    string // in the folder, with slashes
	Source  string // to read it from
	Content []byte // in the place of a source, if not nil
}

// writer is a backup under way.
type writer struct {
	cfg      Config
	to       *tar.Writer
	sum      hash.Hash // of all bytes
	manifest Manifest
}

// Write writes a backup to w and returns its manifest. It reads beside the writer of
// the journal, which never waits for it. What it wrote before an error is worthless.
func Write(ctx context.Context, w io.Writer, cfg Config) (Manifest, error) {
	b := &writer{cfg: cfg, sum: sha256.New()}
	b.to = tar.NewWriter(io.MultiWriter(w, b.sum))
	b.manifest = Manifest{Version: Version, Network: cfg.Network, Key: cfg.Key, At: cfg.Now().UTC().Truncate(time.Second), Recipients: cfg.Names, Members: []Member{}}
	if len(cfg.Recipients) == 0 {
		return b.manifest, errors.New("backup: it needs a recipient of age; name one with --recipient, or set backup.recipient")
	}
	err := b.writeJournal(ctx)
	if err == nil {
		b.manifest.Recordings, err = b.writeFiles(ctx, recordingsFolder, cfg.Recordings)
	}
	if err == nil {
		_, err = b.writeFiles(ctx, filesFolder, cfg.Files)
	}
	if err == nil && cfg.Checkpoint != nil {
		err = b.encrypt(checkpointName, cfg.Checkpoint)
	}
	if err == nil {
		err = b.finish(w)
	}
	return b.manifest, err
}

// encrypt adds a member, encrypted.
func (b *writer) encrypt(name string, content []byte) error {
	recipients := b.cfg.Recipients
	if isPublic(name) && b.cfg.Drill != nil {
		recipients = append(slices.Clip(recipients), b.cfg.Drill)
	}
	var sealed bytes.Buffer
	sealed.Grow(len(content) + 4096)
	enc, err := age.Encrypt(&sealed, recipients...)
	if err == nil {
		_, err = enc.Write(content)
	}
	if err == nil {
		err = enc.Close()
	}
	if err != nil {
		return fmt.Errorf("backup: encrypting %s: %w", name, err)
	}
	b.manifest.Members = append(b.manifest.Members, Member{name, int64(sealed.Len()), sha256.Sum256(sealed.Bytes())})
	return addMember(b.to, name, sealed.Bytes())
}

// addMember adds bytes to a tar file, under a header that depends on nothing else.
func addMember(to *tar.Writer, name string, content []byte) error {
	err := to.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o600, Size: int64(len(content)), Format: tar.FormatUSTAR})
	if err == nil {
		_, err = to.Write(content)
	}
	if err == nil {
		err = to.Flush()
	}
	return err
}

// writeJournal adds the entries up to the head at this moment.
func (b *writer) writeJournal(ctx context.Context) error {
	head, keys, err := b.cfg.Journal.BatchKeys(ctx, 0, math.MaxUint64)
	if err == nil && head.Size == 0 {
		err = errors.New("backup: the journal is empty")
	}
	if err == nil {
		err = b.writeKeys(keys)
	}
	if err != nil {
		return err
	}
	var tree journal.Tree
	var public, sealed []byte
	first, next := uint64(0), uint64(0)
	pace := pacer{ctx, time.Now()}
	flush := func() error {
		if next == first {
			return nil
		}
		err := b.encrypt(numbered(publicFolder, first), public)
		if err == nil {
			err = b.encrypt(numbered(sealedFolder, first), sealed)
		}
		if b.cfg.Progress != nil {
			b.cfg.Progress(next, head.Size)
		}
		public, sealed, first = public[:0], sealed[:0], next
		return errors.Join(err, ctx.Err())
	}
	var last []byte
	for batch, err := range b.cfg.Journal.SealedBatches(ctx, 0, head.Size) {
		if err != nil {
			return err
		}
		for i, part := range batch.Public {
			if bytes.IndexByte(part, '\n') >= 0 {
				return fmt.Errorf("%w: the public part of entry %d has more than one line", journal.ErrNotJournal, next)
			}
			public = append(append(public, part...), '\n')
			sealed = AppendSealed(sealed, batch.Sealed[i])
			tree.Append(journal.Leaf(part), nil)
			last = append(last[:0], part...)
			next++
		}
		if len(public)+len(sealed) >= pieceSize {
			if err := flush(); err != nil {
				return err
			}
		}
		pace.rest()
	}
	if err := flush(); err != nil {
		return err
	}
	b.manifest.Tree = netkit.TreeHead{Size: tree.Size(), Root: tree.Root()}
	b.manifest.Tip, b.manifest.LastEntry = netkit.Hash(head.Tip), timeOf(last)
	if tree.Size() != head.Size || journal.Leaf(last) != head.Tip {
		return fmt.Errorf("%w: it ends with entry %d, and its head says %d", journal.ErrNotJournal, tree.Size(), head.Size)
	}
	return nil
}

// pacer has a backup rest as long as it worked, every few milliseconds, so that the
// writers of a small machine keep half of it.
type pacer struct {
	ctx   context.Context
	begun time.Time
}

const stretch = 2 * time.Millisecond

func (p *pacer) rest() {
	if worked := time.Since(p.begun); worked >= stretch {
		timespan.Wait(p.ctx, worked)
		p.begun = time.Now()
	}
}

// timeOf reads the time of an entry, 0 if it has none.
func timeOf(public []byte) netkit.Millis {
	var e struct {
		At netkit.Millis `json:"at"`
	}
	if json.Unmarshal(public, &e) != nil {
		return 0
	}
	return e.At
}

func (b *writer) writeKeys(keys []journal.BatchKeys) error {
	var piece []byte
	n := uint64(0)
	for i, k := range keys {
		piece = AppendKeys(piece, k)
		if len(piece) < pieceSize && i < len(keys)-1 {
			continue
		}
		if err := b.encrypt(numbered(keysFolder, n), piece); err != nil {
			return err
		}
		piece, n = piece[:0], n+1
	}
	return nil
}

// finish adds the manifest and the checksum.
func (b *writer) finish(w io.Writer) error {
	text, err := json.MarshalIndent(&b.manifest, "", " ")
	if err == nil {
		err = addMember(b.to, manifestName, append(text, '\n'))
	}
	if err == nil {
		_, err = w.Write(seal([sha256.Size]byte(b.sum.Sum(nil))))
	}
	return err
}

// seal returns the last bytes of a backup: the member with the checksum of all bytes
// before it, and the end of the tar file.
func seal(sum [sha256.Size]byte) []byte {
	var out bytes.Buffer
	to := tar.NewWriter(&out)
	err := addMember(to, checksumName, []byte(hex.EncodeToString(sum[:])+"\n"))
	if err = errors.Join(err, to.Close()); err != nil {
		panic("backup: " + err.Error()) // memory takes every byte
	}
	return out.Bytes()
}

// numbered names a member of a folder.
func numbered(folder string, n uint64) string { return fmt.Sprintf("%s%020d.age", folder, n) }
