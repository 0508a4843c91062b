package sqlite

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
)

// records makes n records of the size that an execution has: 420 bytes public,
// 350 private.
func records(from uint64, n int) []journal.Record {
	out := make([]journal.Record, n)
	for i := range out {
		seq := from + uint64(i)
		public := fmt.Appendf(nil, `{"seq":%d,"pad":"`, seq)
		public = append(public, bytes.Repeat([]byte{'p'}, 418-len(public))...)
		private := fmt.Appendf(nil, `{"key":"%d","pad":"`, seq)
		private = append(private, bytes.Repeat([]byte{'q'}, 348-len(private))...)
		out[i] = journal.Record{Seq: seq, Public: append(public, `"}`...), Private: append(private, `"}`...)}
	}
	return out
}

// renumber turns a batch into the next one, without the cost of making it. The
// last private part varies in length, by 350 bytes on average, so that rows do.
func renumber(batch []journal.Record, from uint64) {
	for i := range batch {
		batch[i].Seq = from + uint64(i)
	}
	batch[len(batch)-1].Private = filler[:1+from*379%699]
}

var filler = bytes.Repeat([]byte{'q'}, 700)

func benchmarkAppend(b *testing.B, tune tuning, size int) {
	s, err := open(b.Context(), Config{Dir: b.TempDir()}, tune)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	batch, head := records(0, size), journal.Head{}
	b.ReportAllocs()
	begun := cpuTime()
	b.ResetTimer()
	for b.Loop() {
		renumber(batch, head.Size)
		if head, err = s.Append(b.Context(), head, journal.Batch{Records: batch}); err != nil {
			b.Fatal(err)
		}
	}
	n := float64(b.N * size)
	b.ReportMetric(n/b.Elapsed().Seconds(), "records/s")
	b.ReportMetric(float64((cpuTime()-begun).Nanoseconds())/n/1000, "cpu-µs/record")
	if err := s.Close(); err != nil { // which empties the log
		b.Fatal(err)
	}
	info, err := os.Stat(s.path)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(info.Size())/n, "disk-B/record")
}

// BenchmarkAppend reports durable records a second, and the processor time of
// the whole process (system calls included) a record.
func BenchmarkAppend(b *testing.B) {
	for _, size := range []int{1, 8, 32, 64, 256, 1024} {
		b.Run(fmt.Sprint(size), func(b *testing.B) { benchmarkAppend(b, measured, size) })
	}
}

// BenchmarkTuning is where the sizes in measured come from.
func BenchmarkTuning(b *testing.B) {
	for _, page := range []int{4096, 8192, 16384, 32768} {
		for _, checkpoint := range []int{8 << 20, 16 << 20, 64 << 20} {
			tune := measured
			tune.pageBytes, tune.checkpointSize = page, checkpoint/page
			for _, size := range []int{1, 64, 1024} {
				b.Run(fmt.Sprintf("page=%d/log=%dMB/batch=%d", page, checkpoint>>20, size), func(b *testing.B) {
					benchmarkAppend(b, tune, size)
				})
			}
		}
	}
}

// BenchmarkRead replays 100,000 records.
func BenchmarkRead(b *testing.B) {
	const total = 100_000
	s, err := Open(b.Context(), Config{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	batch, head := records(0, 1000), journal.Head{}
	for head.Size < total {
		renumber(batch, head.Size)
		if head, err = s.Append(b.Context(), head, journal.Batch{Records: batch}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for _, err := range s.Read(b.Context(), 0, total) {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		if n != total {
			b.Fatalf("got %d records, want %d", n, total)
		}
	}
	b.ReportMetric(float64(b.N)*total/b.Elapsed().Seconds(), "records/s")
}
