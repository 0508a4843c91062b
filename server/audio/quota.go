package audio

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

var (
	// ErrUnpublished means that a party holds as much as it may that no
	// dispatch names; nothing of the upload is kept.
	ErrUnpublished = errors.New("audio: too many bytes that no dispatch names")
	// ErrDay means that a party has stored as much as it may in this UTC day.
	ErrDay = errors.New("audio: too many bytes today")
)

// Upload says for whom content is stored.
type Upload struct {
	By    string // slug of the party
	Bytes int64  // length that was announced; 0 or less is unknown
	Quota Quota
}

// Quota bounds what one party may store, recordings and transcripts together.
// A limit that is not positive is none.
type Quota struct {
	Unpublished int64 // bytes that no dispatch names, uploads under way included
	Day         int64 // bytes in a UTC day, uploads under way included
	// Published reports whether a dispatch names a file; nil means that none does.
	Published func(sha string) bool
	// For is how long a file stays that no dispatch names; an older one counts as
	// published. 0 is for ever.
	For time.Duration
}

func (q *Quota) published(sha string, age time.Duration) bool {
	return q.For > 0 && age > q.For || q.Published != nil && q.Published(sha)
}

// quotas counts what parties have stored. What counts stands on disk, in files
// and their uploaders, so that a restart forgives nothing.
type quotas struct {
	mu     sync.Mutex
	loaded bool
	shares map[string]*share // by party
}

// share is what one party has stored that counts, or still writes.
type share struct {
	files              map[string]storedFile // by name
	writing            int64                 // bytes of uploads under way
	unpublished, today int64                 // bytes of files
}

type storedFile struct {
	bytes int64
	at    time.Time // of the last upload by the party
}

// meter counts one upload, byte by byte, against the quota of its party.
type meter struct {
	all   *quotas
	share *share
	quota *Quota
	n     int64
}

// meter begins to count an upload, and refuses one that is too long at once.
func (s *Store) meter(u *Upload) (*meter, error) {
	q := &s.quotas
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.loaded {
		if err := s.loadQuotas(&u.Quota); err != nil {
			return nil, err
		}
		q.loaded = true
	}
	m := &meter{q, q.of(u.By), &u.Quota, 0}
	m.share.count(&u.Quota, s.now())
	return m, m.over(max(u.Bytes, 0))
}

func (q *quotas) of(by string) *share {
	if q.shares[by] == nil {
		q.shares[by] = &share{files: map[string]storedFile{}}
	}
	return q.shares[by]
}

// count adds up the files that count, and drops the others: those of earlier
// days that a dispatch names.
func (sh *share) count(q *Quota, now time.Time) {
	today := now.UTC().Truncate(24 * time.Hour)
	sh.unpublished, sh.today = 0, 0
	for sha, f := range sh.files {
		published, old := q.published(sha, now.Sub(f.at)), f.at.Before(today)
		if !published {
			sh.unpublished += f.bytes
		}
		if !old {
			sh.today += f.bytes
		}
		if published && old {
			delete(sh.files, sha)
		}
	}
}

// over refuses more bytes than the quota leaves.
func (m *meter) over(more int64) error {
	more += m.share.writing
	switch {
	case m.quota.Unpublished > 0 && m.share.unpublished+more > m.quota.Unpublished:
		return ErrUnpublished
	case m.quota.Day > 0 && m.share.today+more > m.quota.Day:
		return ErrDay
	}
	return nil
}

// Write counts bytes as they come.
func (m *meter) Write(b []byte) (int, error) {
	m.all.mu.Lock()
	defer m.all.mu.Unlock()
	if err := m.over(int64(len(b))); err != nil {
		return 0, err
	}
	m.n += int64(len(b))
	m.share.writing += int64(len(b))
	return len(b), nil
}

// end stops counting what is under way; what was stored counts as a file.
func (m *meter) end(stored Blob, now time.Time) {
	m.all.mu.Lock()
	defer m.all.mu.Unlock()
	m.share.writing -= m.n
	if stored.SHA256 != "" {
		m.share.files[stored.SHA256] = storedFile{stored.Bytes, now}
		m.share.count(m.quota, now)
	}
}

// forget drops a file that was removed.
func (q *quotas) forget(sha string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, sh := range q.shares {
		delete(sh.files, sha)
	}
}

// loadQuotas reads what stands on disk.
func (s *Store) loadQuotas(quota *Quota) error {
	now := s.now()
	today := now.UTC().Truncate(24 * time.Hour)
	return filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		file, ok := strings.CutSuffix(path, uploadsSuffix)
		if err != nil || d.IsDir() || !ok || !s.owns(file) {
			return ignoreGone(err)
		}
		sha := filepath.Base(file)
		st, err := d.Info()
		if err != nil || st.ModTime().Before(today) && quota.published(sha, now.Sub(st.ModTime())) {
			return ignoreGone(err)
		}
		return s.loadShares(file, sha)
	})
}

func (s *Store) loadShares(file, sha string) error {
	st, err := os.Stat(file)
	if err != nil {
		return ignoreGone(err)
	}
	all, err := readUploaders(file + uploadsSuffix)
	for by, at := range all {
		s.quotas.of(by).files[sha] = storedFile{st.Size(), at}
	}
	return err
}
