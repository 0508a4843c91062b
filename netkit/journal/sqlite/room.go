package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/agentnet/netctl/netkit/journal"
)

// startWriting opens the writing connection and has readers share its files. A
// disk without room for them gives journal.ErrFull.
func (s *Store) startWriting(ctx context.Context) error {
	if err := errors.Join(s.createIfMissing(), s.removeExpired()); err != nil {
		return s.noRoom(classify(s.path, err), 0)
	}
	w, err := s.dialWriter()
	var old oldSchema
	if errors.As(err, &old) {
		size, _ := s.databaseSize() // which names how much room it takes
		if err := s.migrate(ctx, int(old)); err != nil {
			return s.noRoom(classify(s.path, err), size)
		}
		s.rewrote.Store(int32(old))
		w, err = s.dialWriter()
	}
	if err != nil {
		return s.noRoom(classify(s.path, err), 0)
	}
	files, err := openFiles(s.path, s.path+"-wal")
	if err == nil {
		// By now all files exist. The engine's file layer syncs the log but not the
		// folder that names it, and a log without a name is lost in a power cut.
		err = errors.Join(s.disk.SyncDir(s.dir), s.disk.SyncDir(filepath.Dir(s.dir)))
	}
	if err != nil {
		return errors.Join(folderError(s.dir, err), w.close())
	}
	s.files.Store(&files)
	s.w, s.name, s.was = w, s.own, nil
	return nil
}

// readUntilRoom lets readers read the files as they stand. Nobody writes them:
// this process has the lock, and no room to write. Nothing is in use by readers.
func (s *Store) readUntilRoom() error {
	registerReading()
	now, err := stands(s.path)
	if err != nil {
		return folderError(s.dir, err)
	}
	s.name, s.was = s.engineName(Config{ReadOnly: true, VFS: stillName}, s.path), &now
	return nil
}

// writer returns the writing connection. Where Open found no room for it, it is
// opened now, while no read is under way, since readers then have to share its
// files. It is called under s.writing.
func (s *Store) writer(ctx context.Context) (*writer, error) {
	if s.w != nil {
		return s.w, nil
	}
	if s.lock == nil {
		return nil, fmt.Errorf("%w: %s was opened for reading only", journal.ErrNotWritable, s.dir)
	}
	s.gate.Lock()
	defer s.gate.Unlock()
	_ = s.readers.close() // they only read
	if err := s.startWriting(ctx); err != nil {
		return nil, errors.Join(err, s.readUntilRoom()) // what was tried may have left empty files
	}
	return s.w, nil
}

// What the engine needs beside the database to open it for writing: a page of
// index for so many frames of the write-ahead log, and room for a first commit.
const (
	indexBytes  = 32 << 10
	indexFrames = 4096
	firstCommit = 128 << 10
)

// noRoom turns the error of a failed opening into a journal.ErrFull that says how
// much room is needed, if that is what it lacked: beside the least that opening
// takes, so many bytes of a journal that has to be rewritten. The engine reports
// several codes for it, and the system's own error is lost on the way.
func (s *Store) noRoom(err error, rewritten int64) error {
	var frames int64
	if info, e := os.Stat(s.path + "-wal"); e == nil {
		frames = info.Size() / int64(s.tune.pageBytes)
	}
	need := (frames/indexFrames+1)*indexBytes + firstCommit + rewritten
	if !errors.Is(err, journal.ErrFull) {
		if room := tryRoom(s.dir, need); !errors.Is(room, journal.ErrFull) {
			return err
		}
		err = fmt.Errorf("%w: %w", journal.ErrFull, err)
	}
	return fmt.Errorf("opening %s for writing needs %d KiB of free space in %s: %w", s.path, need>>10, s.dir, err)
}

// tryRoom finds out whether a folder has room for so many bytes, by a file that
// it removes again.
func tryRoom(dir string, bytes int64) error {
	f, err := os.CreateTemp(dir, snapshotPrefix+"*"+temporarySuffix)
	if err != nil {
		return diskError(err)
	}
	_, err = f.Write(make([]byte, bytes))
	return errors.Join(diskError(err), diskError(f.Sync()), f.Close(), os.Remove(f.Name()))
}
