package netkit

import (
	"fmt"
	"regexp"
	"strings"
)

// Seconds is a playing time in milliseconds. In JSON it is a number of seconds
// with at most three decimals, read and written exactly.
type Seconds int64

// String returns the seconds with as many decimals as matter.
func (d Seconds) String() string {
	s := fmt.Sprintf("%d.%03d", int64(d)/1000, int64(d)%1000)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// MarshalJSON writes a JSON number.
func (d Seconds) MarshalJSON() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalJSON reads a JSON number that is not negative.
func (d *Seconds) UnmarshalJSON(b []byte) error {
	v, err := parseFixed(string(b), 3)
	if err != nil {
		return fmt.Errorf("netkit: duration %w", err)
	}
	if v < 0 {
		return fmt.Errorf("netkit: duration is negative")
	}
	*d = Seconds(v)
	return nil
}

// AudioRef names a recording that is stored already.
type AudioRef struct {
	SHA256   Hash    `json:"sha256"`
	Type     string  `json:"type" doc:"media type, such as audio/mpeg"`
	Bytes    int64   `json:"bytes"`
	Duration Seconds `json:"duration_s" doc:"playing time in seconds"`
}

// TextRef names a transcript that is stored already.
type TextRef struct {
	SHA256 Hash   `json:"sha256"`
	Type   string `json:"type" doc:"media type, such as text/vtt"`
}

// Audio is a recording as a reader sees it. Whoever serves it fills in URL.
type Audio struct {
	URL string `json:"url,omitempty" doc:"where it can be fetched; signed and expiring unless it is free"`
	AudioRef
}

// Transcript is the text of a recording as a reader sees it.
type Transcript struct {
	URL string `json:"url,omitempty"`
	TextRef
}

var mediaType = regexp.MustCompile(`^[a-z]+/[a-z0-9][a-z0-9.+-]{0,60}$`)

func (a *AudioRef) check() error {
	switch {
	case a.SHA256 == Hash{}:
		return invalid("audio.sha256", "audio_missing", "is required", "upload the recording first and send what it answers")
	case !mediaType.MatchString(a.Type) || !strings.HasPrefix(a.Type, "audio/"):
		return invalid("audio.type", "audio_type", "is not an audio media type", "use the type that the upload answers")
	case a.Bytes <= 0 || a.Duration < 0:
		return invalid("audio.bytes", "audio_size", "and duration_s must be the recording's", "send what the upload answers")
	}
	return nil
}

func (t *TextRef) check() error {
	switch {
	case t.SHA256 == Hash{}:
		return invalid("transcript.sha256", "transcript_missing", "is required", "upload the transcript first and send what it answers")
	case !mediaType.MatchString(t.Type):
		return invalid("transcript.type", "transcript_type", "is not a media type", "use the type that the upload answers")
	}
	return nil
}

// media is what the state knows of a stored file: the oldest standing dispatch
// of each priority that names it, 0 when none does; zero as a whole when only
// erased ones do. What a priority costs is asked when the file is, since a later
// constitution may change it.
type media [P2 + 1]uint64

// files are the recording and the transcript that a dispatch names.
func (d *dispatch) files(yield func([32]byte) bool) {
	for _, file := range [...][32]byte{d.audio, d.transcript} {
		if file != [32]byte{} && !yield(file) {
			return
		}
	}
}

// name notes the files of a dispatch, for nobody if it is erased.
func (s *state) name(d *dispatch) {
	_, erased := s.erased.get(d.id)
	for file := range d.files {
		m, _ := s.media.get(file)
		if !erased && m[d.priority] == 0 {
			m[d.priority] = d.id
		}
		s.media.put(file, m)
	}
}

// unname takes an erased dispatch away from its files, which those of the
// dispatches that stand may name still.
func (s *state) unname(id uint64) {
	_, gone, err := s.dispatch("", id)
	if err != nil {
		return // an entry of another kind
	}
	for file := range gone.files {
		s.media.put(file, media{})
	}
	for _, d := range s.dispatches.all() {
		if d.shares(gone) {
			s.name(d)
		}
	}
}

// shares reports whether two dispatches name the same file.
func (d *dispatch) shares(other *dispatch) bool {
	for a := range d.files {
		for b := range other.files {
			if a == b {
				return true
			}
		}
	}
	return false
}
