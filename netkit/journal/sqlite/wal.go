package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agentnet/netctl/netkit/journal"
)

// SQLite reads its write-ahead log up to the first frame that is not sound and
// drops the rest without a word: one flipped bit takes every commit after it.
// The file tells such damage from what a crash leaves. A commit is synced before
// the next one is written, so whatever comes before a later commit was whole
// once. And the index in journal.db-shm, which a killed process leaves behind,
// counts the frames that were committed. A log that was cut between two commits,
// where no index is left, looks like an earlier one: the checkpoint beside the
// journal has to show that. The format is that of
// https://www.sqlite.org/walformat.html.

// ErrLogDamaged means that the write-ahead log lost commits that had returned.
// It is a [journal.ErrNotJournal].
var ErrLogDamaged = fmt.Errorf("%w: the write-ahead log is damaged", journal.ErrNotJournal)

// LogEnd is how a write-ahead log ends that nobody has open.
type LogEnd struct {
	Frames  int // that are sound and committed
	Dropped int // behind them, of a commit that was under way when the process ended
}

// CheckLog looks at the write-ahead log of a folder whose journal no process
// writes, and changes nothing. [ErrLogDamaged] says that commits are lost which
// had been acknowledged. Frames that are dropped may be damaged too: of the last
// commit before a loss of power it cannot be told whether it had returned. A
// folder without a log has the zero LogEnd.
func CheckLog(dir string) (end LogEnd, err error) {
	if busy, err := written(dir); busy || err != nil {
		return LogEnd{}, err
	}
	return CheckLogOf(filepath.Join(dir, "journal.db"))
}

// CheckLogOf looks at the write-ahead log of a database, as [CheckLog] does at that of a
// journal. The caller has the database locked, or no process has it open.
func CheckLogOf(path string) (end LogEnd, err error) {
	index, err := readIndex(path + "-shm")
	if err != nil {
		return LogEnd{}, err
	}
	w, err := openLog(path + "-wal")
	if err != nil {
		return LogEnd{}, err
	}
	defer w.close()
	err = w.scan(index)
	return w.LogEnd, err
}

// Sizes and places in the log.
const (
	logHeader   = 32
	frameHeader = 24
	logMagic    = 0x377f0682 // its lowest bit is set where sums are of big-endian words
	logVersion  = 3007000
)

// logIndex is what the shared index says of the log; the zero one says nothing.
type logIndex struct {
	frames   uint32 // committed
	moved    uint32 // of them, into the database
	salt     [8]byte
	readable bool
}

// readIndex reads the header of journal.db-shm. One that is missing, or that a
// crash left half written, says nothing.
func readIndex(path string) (x logIndex, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return x, nil
	}
	if err != nil {
		return x, err
	}
	defer f.Close()
	var b [100]byte
	if _, err := io.ReadFull(f, b[:]); err != nil {
		return x, ignoreEnd(err)
	}
	var sum checksum
	sum.add(binary.LittleEndian, b[:40])
	if [48]byte(b[:48]) != [48]byte(b[48:96]) || binary.LittleEndian.Uint32(b[:]) != logVersion || !sum.is(binary.LittleEndian, b[40:48]) {
		return x, nil
	}
	return logIndex{frames: binary.LittleEndian.Uint32(b[16:]), moved: binary.LittleEndian.Uint32(b[96:]), salt: [8]byte(b[32:40]), readable: true}, nil
}

// ignoreEnd drops the errors of a file that is too short.
func ignoreEnd(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// logScan reads a log frame by frame.
type logScan struct {
	LogEnd
	file  *os.File // nil is an empty log
	path  string
	order binary.ByteOrder
	salt  [8]byte
	sum   checksum
	page  []byte // a frame's header and page
}

func openLog(path string) (*logScan, error) {
	f, err := os.Open(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return &logScan{file: f, path: path}, nil
}

func (w *logScan) close() {
	if w.file != nil {
		_ = w.file.Close() // it was only read
	}
}

// scan reads the whole log and compares it with the index.
func (w *logScan) scan(x logIndex) error {
	sound, err := w.readHeader()
	if err != nil {
		return err
	}
	if !sound {
		// A crash leaves no such file: the header is synced before any frame.
		if w.size() >= logHeader+frameHeader || x.readable && x.frames > x.moved {
			return w.damaged("its first bytes are missing or wrong")
		}
		return nil
	}
	followed, err := w.readFrames()
	same := x.readable && x.salt == w.salt
	switch {
	case err != nil:
		return err
	case same && int(x.frames) > w.Frames:
		return w.damaged(fmt.Sprintf("%d frames were committed, and %d are sound", x.frames, w.Frames))
	case same && int(x.frames) == w.Frames:
		return nil // what follows is of commits that failed
	case followed:
		return w.damaged(fmt.Sprintf("frame %d is wrong, and later commits follow it", w.Frames+1))
	}
	return nil
}

func (w *logScan) size() int64 {
	if w.file == nil {
		return 0
	}
	info, err := w.file.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

// readHeader reads the header and reports whether it is sound.
func (w *logScan) readHeader() (bool, error) {
	var b [logHeader]byte
	if w.file == nil {
		return false, nil
	}
	if _, err := io.ReadFull(w.file, b[:]); err != nil {
		return false, ignoreEnd(err)
	}
	magic, size := binary.BigEndian.Uint32(b[:]), binary.BigEndian.Uint32(b[8:])
	if w.order = binary.LittleEndian; magic&1 != 0 {
		w.order = binary.BigEndian
	}
	w.sum.add(w.order, b[:24])
	if magic&^1 != logMagic || binary.BigEndian.Uint32(b[4:]) != logVersion || size < 512 || size > 65536 || !w.sum.is(binary.BigEndian, b[24:]) {
		return false, nil
	}
	w.salt, w.page = [8]byte(b[16:24]), make([]byte, frameHeader+size)
	return true, nil
}

// readFrames counts the sound frames up to the last commit, and those behind it.
// It reports whether something follows a commit that is not sound itself, or
// that comes after what is not. Frames of an earlier run through the file have
// another salt.
func (w *logScan) readFrames() (followed bool, err error) {
	sound, committed := true, false // committed: a commit lies behind Frames
	for n := 1; ; n++ {
		_, err := io.ReadFull(w.file, w.page)
		if errors.Is(err, io.ErrUnexpectedEOF) {
			w.Dropped++ // part of a frame
		}
		if err != nil {
			return false, ignoreEnd(err)
		}
		commit := binary.BigEndian.Uint32(w.page[4:]) != 0
		if [8]byte(w.page[8:16]) != w.salt {
			sound = false // the end, or a frame that was altered
			continue
		}
		if committed {
			return true, nil
		}
		w.Dropped++
		if sound {
			w.sum.add(w.order, w.page[:8])
			w.sum.add(w.order, w.page[frameHeader:])
			sound = w.sum.is(binary.BigEndian, w.page[16:24])
		}
		switch {
		case sound && commit:
			w.Frames, w.Dropped = n, 0
		case commit:
			committed = true
		}
	}
}

// damaged names the damage.
func (w *logScan) damaged(how string) error {
	return fmt.Errorf("%w: %s: %s; restore it from a copy", ErrLogDamaged, w.path, how)
}

// checksum is the running sum of the log: two 32-bit words.
type checksum [2]uint32

// add takes in bytes, whose number is a multiple of eight.
func (s *checksum) add(order binary.ByteOrder, b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		s[0] += order.Uint32(b) + s[1]
		s[1] += order.Uint32(b[4:]) + s[0]
	}
}

// is compares the sum with a stored one.
func (s *checksum) is(order binary.ByteOrder, b []byte) bool {
	return s[0] == order.Uint32(b) && s[1] == order.Uint32(b[4:])
}
