package sqlite

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

// childDir, when set, makes this test binary a writer into that folder.
const childDir = "NETKIT_JOURNAL_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		fmt.Println(appendForEver(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// appendForEver prints the size of the journal after each append.
func appendForEver(dir string) error {
	ctx := context.Background()
	s, err := Open(ctx, Config{Dir: dir})
	if err != nil {
		return err
	}
	head, err := s.Head(ctx)
	for n := 1; err == nil; n++ {
		head, err = s.Append(ctx, head, journal.Batch{Records: journaltest.Records(head.Size, n%40+1)})
		if err == nil {
			fmt.Println("acked", head.Size)
		}
	}
	return err
}

// TestKill kills a writing process 30 times: whatever it acknowledged is there
// afterwards, and its lock is gone.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	for round := range 30 {
		acked := killChild(t, dir, 10+round)
		s := openDir(t, Config{Dir: dir})
		head, err := s.Head(t.Context())
		if err != nil || head.Size < acked {
			t.Fatalf("round %d: got a journal of %d, %v, want %d at least", round, head.Size, err, acked)
		}
		got := journaltest.ReadAll(t, s, 0, head.Size+1)
		if !slices.EqualFunc(journaltest.Records(0, int(head.Size)), got, func(a, b journal.Record) bool {
			return a.Seq == b.Seq && bytes.Equal(a.Public, b.Public) && bytes.Equal(a.Private, b.Private)
		}) {
			t.Fatalf("round %d: the %d entries are not those that were written", round, len(got))
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// killChild lets a child append so many batches, kills it and returns the last
// size that it acknowledged.
func killChild(t *testing.T, dir string, batches int) (acked uint64) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childDir+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for n := 0; lines.Scan(); n++ {
		if _, err := fmt.Sscanf(lines.Text(), "acked %d", &acked); err != nil {
			t.Fatalf("the child says %q", lines.Text())
		}
		if n == 0 {
			if _, err := Open(t.Context(), Config{Dir: dir}); !errors.Is(err, journal.ErrLocked) || !strings.Contains(err.Error(), dir) {
				t.Errorf("beside another process: got %v, want %v naming %s", err, journal.ErrLocked, dir)
			}
		}
		if n == batches {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait() // it was killed
	return acked
}

// TestFullDisk lets the database reach its largest size.
func TestFullDisk(t *testing.T) {
	s := openDir(t, Config{Dir: t.TempDir()})
	head := journaltest.MustAppend(t, s, journal.Head{}, journal.Batch{Records: journaltest.Records(0, 10)})
	limit := func(pages int) {
		if err := s.w.conn.Exec(fmt.Sprintf("PRAGMA max_page_count = %d", pages)); err != nil {
			t.Fatal(err)
		}
	}
	limit(20)
	for range 2 {
		_, err := s.Append(t.Context(), head, journal.Batch{Records: records(10, 1000), Erase: []uint64{1}})
		if !errors.Is(err, journal.ErrFull) || errors.Is(err, journal.ErrDoubtful) {
			t.Fatalf("got %v, want %v", err, journal.ErrFull)
		}
		if diff := cmp.Diff(journaltest.Records(0, 10), journaltest.ReadAll(t, s, 0, 100)); diff != "" {
			t.Errorf("after a full disk (-want +got):\n%s", diff)
		}
	}
	head = journaltest.MustAppend(t, s, head, journal.Batch{Records: journaltest.Records(10, 1)})
	limit(1 << 30)
	journaltest.MustAppend(t, s, head, journal.Batch{Records: records(11, 1000)})
}

// TestHeldByShell lets another connection hold the write lock.
func TestHeldByShell(t *testing.T) {
	s := openDir(t, Config{Dir: t.TempDir()})
	c, err := sqlite3.Open(s.path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := errors.Join(c.Exec("BEGIN IMMEDIATE"), s.w.conn.BusyTimeout(0)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(t.Context(), journal.Head{}, journal.Batch{Records: records(0, 1)}); !errors.Is(err, journal.ErrLocked) {
		t.Errorf("got %v, want %v", err, journal.ErrLocked)
	}
	if err := c.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	journaltest.MustAppend(t, s, journal.Head{}, journal.Batch{Records: records(0, 1)})
}

func TestClassify(t *testing.T) {
	tests := []struct {
		err           error
		write, commit error
	}{
		{sqlite3.FULL, journal.ErrFull, journal.ErrFull},
		{sqlite3.BUSY, journal.ErrLocked, journal.ErrLocked},
		{sqlite3.READONLY_DBMOVED, journal.ErrNotWritable, journal.ErrDoubtful},
		{sqlite3.IOERR_FSYNC, nil, journal.ErrDoubtful},
		{sqlite3.IOERR_WRITE, nil, journal.ErrDoubtful},
		{sqlite3.IOERR_SHMSIZE, nil, journal.ErrDoubtful},
		{sqlite3.CORRUPT, journal.ErrNotJournal, journal.ErrDoubtful},
		{sqlite3.CANTOPEN, journal.ErrNotWritable, journal.ErrDoubtful},
		{journal.ErrBadBatch, journal.ErrBadBatch, journal.ErrDoubtful},
	}
	for _, test := range tests {
		write := classify("the.db", test.err)
		if test.write != nil && !errors.Is(write, test.write) || errors.Is(write, journal.ErrDoubtful) {
			t.Errorf("%v while writing: got %v, want %v and definite", test.err, write, test.write)
		}
		// Through classify, as in Append: it must not take a class away.
		commit := classify("the.db", commitError("the.db", test.err))
		if !errors.Is(commit, test.commit) || test.commit != journal.ErrDoubtful && errors.Is(commit, journal.ErrDoubtful) {
			t.Errorf("%v at commit: got %v, want %v", test.err, commit, test.commit)
		}
		if !errors.Is(write, test.err) || !errors.Is(commit, test.err) {
			t.Errorf("%v: lost the cause: %v; %v", test.err, write, commit)
		}
	}
}

// TestLogStaysSmall appends beside readers that leave no instant without a
// read, which keeps SQLite from emptying its log unless the writer waits.
func TestLogStaysSmall(t *testing.T) {
	for _, last := range []int{64, 8} { // a commit moves the log, or a goroutine does
		t.Run(fmt.Sprint(last), func(t *testing.T) { testLogStaysSmall(t, last) })
	}
}

func testLogStaysSmall(t *testing.T, last int) {
	tune := measured
	tune.checkpointSize, tune.lastPages = 32, last
	s, err := open(t.Context(), Config{Dir: t.TempDir()}, tune)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, stop := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for ctx.Err() == nil {
				for _, err := range s.Read(ctx, 0, 1<<40) {
					if err != nil && !errors.Is(err, context.Canceled) {
						t.Error(err)
					}
				}
			}
		})
	}
	head, largest := journal.Head{}, int64(0)
	for range 200 {
		head = journaltest.MustAppend(t, s, head, journal.Batch{Records: records(head.Size, 64)})
		info, err := os.Stat(s.path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		largest = max(largest, info.Size())
	}
	stop()
	readers.Wait()
	if limit := int64(2 * patience * tune.checkpointSize * tune.pageBytes); largest > limit {
		t.Errorf("the log grew to %d bytes, want at most %d", largest, limit)
	}
}

// A commit does not wait while the log is moved, and one that comes later completes the
// move, so that the log is written from its start.
func TestAppendsContinueWhileTheLogIsMoved(t *testing.T) {
	tune := measured
	tune.checkpointSize, tune.lastPages = 256, 8
	s, err := open(t.Context(), Config{Dir: t.TempDir()}, tune)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	head, log := journal.Head{}, &s.w.log
	frames := func() int {
		index, err := readIndex(s.path + "-shm")
		if err != nil || !index.readable {
			t.Fatalf("got the index %+v, %v", index, err)
		}
		return int(index.frames)
	}
	log.moving.Lock()
	for head.Size == 0 || frames() < 2*tune.checkpointSize {
		head = journaltest.MustAppend(t, s, head, journal.Batch{Records: records(head.Size, 64)})
	}
	log.moving.Unlock()
	grown := frames()
	for frames() >= tune.checkpointSize {
		if now := frames(); now >= 2*grown {
			t.Fatalf("the log grew from %d to %d pages, want it written from its start", grown, now)
		}
		head = journaltest.MustAppend(t, s, head, journal.Batch{Records: records(head.Size, 1)})
		for len(log.due) > 0 || !log.moving.TryLock() { // a move is due, or under way
			runtime.Gosched()
		}
		log.moving.Unlock()
	}
}
