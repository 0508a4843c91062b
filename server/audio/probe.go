// Package audio keeps the recordings and transcripts of dispatches: it tells
// what a file is and how long it plays, stores it under its SHA-256, and signs
// addresses that expire.
//
// [Probe] reads the file itself; neither its name nor a claimed type is asked.
// [New] opens a [Store], whose Put returns once the file is durable, so that a
// journal entry may name it. [NewSigner] makes the addresses of paid recordings.
package audio

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// Media types of what can be stored.
const (
	TypeWAV   = "audio/wav"
	TypeMP3   = "audio/mpeg"
	TypeOgg   = "audio/ogg"
	TypeVTT   = "text/vtt"
	TypePlain = "text/plain"
)

var (
	// ErrUnsupported is content of a kind that is not kept.
	ErrUnsupported = errors.New("audio: unsupported content")
	// ErrDamaged is content of a known kind that is cut off or broken.
	ErrDamaged = errors.New("audio: damaged content")
)

// Info is what a recording says of itself.
type Info struct {
	Type     string
	Duration time.Duration
}

// Probe reads the headers of a recording of size bytes and returns its type and
// exact playing time. It walks each frame or page, so its work is bounded by
// size, and a file that is cut off or goes on after its end is refused.
func Probe(r io.ReaderAt, size int64) (Info, error) {
	var magic [12]byte
	n, err := r.ReadAt(magic[:min(size, 12)], 0)
	if err != nil && err != io.EOF {
		return Info{}, fmt.Errorf("audio: read: %w", err)
	}
	in := &input{at: r, size: size}
	var found Info
	switch head := magic[:n]; {
	case has(head, 0, "RIFF") && has(head, 8, "WAVE"):
		found.Type = TypeWAV
		found.Duration, err = in.wav()
	case has(head, 0, "OggS"):
		found.Type = TypeOgg
		found.Duration, err = in.opus()
	case has(head, 0, "ID3") || len(head) >= 4 && isMP3([4]byte(head)):
		found.Type = TypeMP3
		found.Duration, err = in.mp3()
	default:
		return Info{}, fmt.Errorf("%w: neither WAV, MP3 nor Ogg Opus; convert the recording to one of them", ErrUnsupported)
	}
	switch {
	case in.failed != nil: // whatever the format made of it
		return Info{}, in.failed
	case err != nil:
		return Info{}, err
	case found.Duration <= 0:
		return Info{}, damaged(0, "the recording is empty")
	}
	return found, nil
}

func has(b []byte, at int, text string) bool {
	return len(b) >= at+len(text) && string(b[at:at+len(text)]) == text
}

func damaged(offset int64, what string) error {
	return fmt.Errorf("%w at byte %d: %s; export the recording again", ErrDamaged, offset, what)
}

func unsupported(what string) error {
	return fmt.Errorf("%w: %s; convert it to PCM WAV, MP3 or Ogg Opus", ErrUnsupported, what)
}

// playtime is samples/rate without overflow for any count below 2^63.
func playtime(samples, rate int64) time.Duration {
	return time.Duration(samples/rate)*time.Second + time.Duration(samples%rate)*time.Second/time.Duration(rate)
}

// input reads a file front to back through one buffer: headers lie a few hundred
// bytes apart, and a system call for each would cost more than reading all.
type input struct {
	at     io.ReaderAt
	size   int64
	buffer []byte
	start  int64 // offset of buffer[0]
	failed error // of the disk, not of the content
}

const bufferSize = 64 << 10

// bytes returns n bytes at offset, valid until the next call; n is small.
func (in *input) bytes(offset int64, n int) ([]byte, error) {
	if offset < 0 || offset+int64(n) > in.size {
		return nil, damaged(in.size, "the file is cut off")
	}
	if offset < in.start || offset+int64(n) > in.start+int64(len(in.buffer)) {
		if in.buffer == nil {
			in.buffer = make([]byte, bufferSize)
		}
		want := min(bufferSize, in.size-offset)
		got, err := in.at.ReadAt(in.buffer[:want], offset)
		if int64(got) < want {
			in.failed = fmt.Errorf("audio: read: %w", errors.Join(err, io.ErrUnexpectedEOF))
			return nil, in.failed
		}
		in.start, in.buffer = offset, in.buffer[:want]
	}
	from := offset - in.start
	return in.buffer[from : from+int64(n)], nil
}
