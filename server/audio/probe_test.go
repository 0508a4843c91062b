package audio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// example reads a recording of the examples.
func example(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../../examples/audio", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func probe(b []byte) (Info, error) { return Probe(bytes.NewReader(b), int64(len(b))) }

// The figures are what decoding with another program gives, to the sample.
var examples = []struct {
	name, kind string
	samples    int64
	rate       int64
}{
	{"p0-grid-failure.mp3", TypeMP3, 271872, 16000},   // no VBR header: whole frames
	{"p1-silicon-supply.mp3", TypeMP3, 248256, 16000}, // likewise
	{"correction-silicon.mp3", TypeMP3, 206068, 16000},
	{"p2-audit-policy.ogg", TypeOgg, 657413, 48000},
	{"p0-grid-resolved.wav", TypeWAV, 33282, 8000},
}

func TestProbeExamples(t *testing.T) {
	for _, c := range examples {
		got, err := probe(example(t, c.name))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if want := (Info{c.kind, playtime(c.samples, c.rate)}); got != want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, want)
		}
	}
}

// A recording cut off must not pass for a shorter one, and one with something
// hung on must not carry it along. (An MP3 without a VBR header is a bare row of
// frames: cut between two of them it is whole.)
func TestProbeCutAndExtended(t *testing.T) {
	for _, c := range examples {
		b := example(t, c.name)
		for _, n := range []int{4, 11, 12, 13, 40, 100, 1000, len(b)/2 + 1, len(b) - 1} {
			if _, err := probe(b[:n]); err == nil {
				t.Errorf("%s cut to %d bytes: got no error", c.name, n)
			}
		}
		_, err := probe(append(bytes.Clone(b), "<script>alert(1)</script>"...))
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("%s with a tail: got %v, want ErrDamaged", c.name, err)
		}
	}
}

func TestProbeRefusesOtherContent(t *testing.T) {
	for name, content := range map[string]string{
		"nothing":    "",
		"a byte":     "R",
		"HTML":       "<html><body>not audio at all</body></html>",
		"FLAC":       "fLaC\x00\x00\x00\x22aaaaaaaaaaaaaa",
		"AVI":        "RIFF\x10\x00\x00\x00AVI LIST0000000000",
		"layer II":   "\xff\xfd\x80\x00aaaaaaaaaaaaaaa",
		"zeros":      strings.Repeat("\x00", 5000),
		"Ogg Vorbis": oggPages([]byte("\x01vorbis0000000000000000"), 100),
	} {
		if _, err := probe([]byte(content)); !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: got %v, want ErrUnsupported", name, err)
		}
	}
}

// id3 is an ID3v2 tag with size bytes of padding.
func id3(size int, flags byte) []byte {
	head := []byte{'I', 'D', '3', 4, 0, flags, byte(size >> 21 & 0x7f), byte(size >> 14 & 0x7f), byte(size >> 7 & 0x7f), byte(size & 0x7f)}
	body := make([]byte, size)
	if flags&0x10 != 0 {
		body = append(body, make([]byte, 10)...)
	}
	return append(head, body...)
}

func TestMP3Tags(t *testing.T) {
	b := example(t, "correction-silicon.mp3")
	want, err := probe(b)
	if err != nil {
		t.Fatal(err)
	}
	v1 := append([]byte("TAG"), make([]byte, 125)...)
	for name, tagged := range map[string][]byte{
		"ID3v2":            append(id3(70_000, 0), b...),
		"two, with footer": append(append(id3(300, 0x10), id3(5, 0)...), b...),
		"ID3v1":            append(bytes.Clone(b), v1...),
		"APE":              append(bytes.Clone(b), "APETAGEX0000"...),
	} {
		if got, err := probe(tagged); err != nil || got != want {
			t.Errorf("%s: got %+v, %v, want %+v", name, got, err, want)
		}
	}
	for name, bad := range map[string][]byte{
		"tag longer than the file": id3(300, 0)[:200],
		"tag alone":                id3(300, 0),
		"tag before nothing known": append(id3(30, 0), "hello, world"...),
		"half an ID3v1":            append(bytes.Clone(b), v1[:100]...),
		"free format":              append([]byte{0xff, 0xf3, 0x00, 0xc4}, make([]byte, 400)...),
	} {
		if _, err := probe(bad); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
}

// Frames are counted, whatever a header claims; one that claims more than there
// are shows that the rest was cut off between two frames.
func TestMP3ClaimedFrames(t *testing.T) {
	b := example(t, "correction-silicon.mp3")
	want, _ := probe(b)
	at := bytes.Index(b, []byte("Xing"))
	count := binary.BigEndian.Uint32(b[at+8:])
	binary.BigEndian.PutUint32(b[at+8:], 1)
	if got, err := probe(b); err != nil || got != want {
		t.Errorf("too few: got %+v, %v, want %+v", got, err, want)
	}
	binary.BigEndian.PutUint32(b[at+8:], count+1)
	if _, err := probe(b); !errors.Is(err, ErrDamaged) {
		t.Errorf("one too many: got %v, want ErrDamaged", err)
	}
	// Without its flags the trim lies elsewhere; whatever stands there, no panic.
	b[at+7] = 0
	if _, err := probe(b); err != nil {
		t.Error(err)
	}
}

func TestMP3RateMustStay(t *testing.T) {
	a, b := example(t, "p0-grid-failure.mp3"), []byte("\xff\xf3\x20\xc4"+strings.Repeat("\x00", 48))
	if _, err := probe(append(a, b...)); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v, want ErrDamaged", err)
	}
}

// Lengths and counts for each version, from the tables of the standard.
func TestMP3Frames(t *testing.T) {
	for _, c := range []struct {
		header [4]byte
		want   mp3Frame
	}{
		{[4]byte{0xff, 0xfb, 0x90, 0x00}, mp3Frame{44100, 1152, 417, 32}},
		{[4]byte{0xff, 0xfb, 0x92, 0xc0}, mp3Frame{44100, 1152, 418, 17}},
		{[4]byte{0xff, 0xfa, 0xe4, 0x00}, mp3Frame{48000, 1152, 960, 32}},
		{[4]byte{0xff, 0xf3, 0x88, 0xc4}, mp3Frame{16000, 576, 288, 9}},
		{[4]byte{0xff, 0xf3, 0x80, 0x00}, mp3Frame{22050, 576, 208, 17}},
		{[4]byte{0xff, 0xe3, 0x18, 0x00}, mp3Frame{8000, 576, 72, 17}},
	} {
		if got, ok := parseMP3(c.header); !ok || got != c.want {
			t.Errorf("% x: got %+v, %v, want %+v", c.header, got, ok, c.want)
		}
	}
}

// wave builds a WAV file of chunks.
func wave(chunks ...string) []byte {
	body := "WAVE" + strings.Join(chunks, "")
	return []byte("RIFF" + little32(len(body)) + body)
}

func little32(n int) string { return string(binary.LittleEndian.AppendUint32(nil, uint32(n))) }
func little16(n int) string { return string(binary.LittleEndian.AppendUint16(nil, uint16(n))) }

func chunk(name, body string) string {
	return name + little32(len(body)) + body + strings.Repeat("\x00", len(body)&1)
}

func format(tag, channels, rate, bits, block int) string {
	return chunk("fmt ", little16(tag)+little16(channels)+little32(rate)+little32(rate*block)+little16(block)+little16(bits))
}

func TestWAV(t *testing.T) {
	second := chunk("data", strings.Repeat("x", 4*8000))
	for name, c := range map[string]struct {
		file []byte
		want time.Duration
		err  error
	}{
		"stereo":               {wave(format(1, 2, 8000, 16, 4), second), time.Second, nil},
		"odd chunk before":     {wave(chunk("LIST", "abc"), format(1, 2, 8000, 16, 4), second), time.Second, nil},
		"float, extensible":    {wave(format(0xfffe, 1, 8000, 32, 4), second), time.Second, nil},
		"compressed":           {wave(format(2, 1, 8000, 4, 1), second), 0, ErrUnsupported},
		"no format":            {wave(chunk("LIST", "abcd")), 0, ErrDamaged},
		"samples first":        {wave(second, format(1, 2, 8000, 16, 4)), 0, ErrDamaged},
		"no samples":           {wave(format(1, 2, 8000, 16, 4)), 0, ErrDamaged},
		"short format":         {wave(chunk("fmt ", "abcdefgh")), 0, ErrDamaged},
		"rate 0":               {wave(format(1, 2, 0, 16, 4), second), 0, ErrDamaged},
		"block 0":              {wave(format(1, 2, 8000, 16, 0), second), 0, ErrDamaged},
		"chunk beyond the end": {wave(format(1, 2, 8000, 16, 4), "data"+little32(1<<31)), 0, ErrDamaged},
		"streamed length":      {wave(format(1, 2, 8000, 16, 4), "data"+little32(1<<32-1)), 0, ErrDamaged},
	} {
		got, err := probe(c.file)
		if !errors.Is(err, c.err) || got.Duration != c.want {
			t.Errorf("%s: got %v, %v, want %v, %v", name, got.Duration, err, c.want, c.err)
		}
	}
}

// oggPages is a file of two pages: one packet with head, then packets up to granule.
func oggPages(head []byte, granule int64, packets ...string) string {
	page := func(flags byte, granule int64, packets []string) string {
		lacing := ""
		for _, p := range packets {
			lacing += string([]byte{byte(len(p))})
		}
		b := append([]byte("OggS\x00"), flags)
		b = binary.LittleEndian.AppendUint64(b, uint64(granule))
		b = append(b, make([]byte, 12)...) // serial, sequence and checksum
		b = append(b, byte(len(packets)))
		return string(b) + lacing + strings.Join(packets, "")
	}
	return page(oggFirst, 0, []string{string(head)}) + page(oggLast, granule, packets)
}

func TestOpus(t *testing.T) {
	head := []byte("OpusHead\x01\x01\x38\x01\x80\xbb\x00\x00\x00\x00\x00") // pre-skip 312
	for name, c := range map[string]struct {
		file string
		want time.Duration
		err  error
	}{
		"20 ms":                    {oggPages(head, 312+960, "tags", "sound"), 20 * time.Millisecond, nil},
		"more than packets hold":   {oggPages(head, 5761, "tags", "sound"), 0, ErrDamaged},
		"a granule of ages":        {oggPages(head, 1<<62, "tags", "sound"), 0, ErrDamaged},
		"less than the pre-skip":   {oggPages(head, 311, "tags", "sound"), 0, ErrDamaged},
		"no packet ends":           {oggPages(head, -1, "tags", "sound"), 0, ErrDamaged},
		"unknown major version":    {oggPages([]byte(strings.Replace(string(head), "d\x01", "d\x10", 1)), 1272, "tags", "sound"), 0, ErrDamaged},
		"header cut short":         {oggPages(head[:12], 1272, "tags", "sound"), 0, ErrDamaged},
		"another stream in it":     {strings.Replace(oggPages(head, 1272, "tags", "sound"), "OggS\x00\x04\xf8\x04\x00\x00\x00\x00\x00\x00\x00", "OggS\x00\x04\xf8\x04\x00\x00\x00\x00\x00\x00\x07", 1), 0, ErrUnsupported},
		"no page after the header": {oggPages(head, 1272)[:47], 0, ErrDamaged},
	} {
		got, err := probe([]byte(c.file))
		if !errors.Is(err, c.err) || got.Duration != c.want {
			t.Errorf("%s: got %v, %v, want %v, %v", name, got.Duration, err, c.want, c.err)
		}
	}
}

// broken fails from a byte on, as a failing disk does.
type broken struct {
	content []byte
	from    int64
}

func (b broken) ReadAt(p []byte, offset int64) (int, error) {
	if offset+int64(len(p)) > b.from {
		return 0, io.ErrClosedPipe
	}
	return copy(p, b.content[offset:]), nil
}

// What a disk cannot read must not be called a damaged recording.
func TestProbeReportsReadErrors(t *testing.T) {
	for _, c := range examples {
		content := example(t, c.name)
		for _, from := range []int64{0, 12} {
			_, err := Probe(broken{content, from}, int64(len(content)))
			if !errors.Is(err, io.ErrClosedPipe) || errors.Is(err, ErrDamaged) {
				t.Errorf("%s from byte %d: got %v, want the error of the disk alone", c.name, from, err)
			}
		}
	}
}

func FuzzProbe(f *testing.F) {
	for _, c := range examples {
		f.Add(example(f, c.name)[:600])
	}
	f.Add(wave(format(1, 1, 8000, 8, 1), chunk("data", "abc")))
	f.Add([]byte(oggPages([]byte("OpusHead\x01\x01\x38\x01\x80\xbb\x00\x00\x00\x00\x00"), 1272, "tags", "sound")))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := probe(b)
		if err == nil && (got.Duration <= 0 || got.Type == "") {
			t.Fatalf("got %+v without error", got)
		}
		if err != nil && !errors.Is(err, ErrUnsupported) && !errors.Is(err, ErrDamaged) {
			t.Fatalf("got %v, want ErrUnsupported or ErrDamaged", err)
		}
	})
}
