package netkit

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/agentnet/netctl/netkit/code"
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
	Type     string  `json:"type" doc:"media type, such as audio/mpeg" pattern:"^audio/[a-z0-9][a-z0-9.+-]{0,60}$"`
	Bytes    int64   `json:"bytes" minimum:"1"`
	Duration Seconds `json:"duration_s" doc:"playing time in seconds" minimum:"0"`
}

// TextRef names a transcript that is stored already.
type TextRef struct {
	SHA256 Hash   `json:"sha256"`
	Type   string `json:"type" doc:"media type, such as text/vtt" pattern:"^[a-z]+/[a-z0-9][a-z0-9.+-]{0,60}$"`
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

func (a *AudioRef) Check() error {
	switch {
	case a.SHA256 == Hash{}:
		return Invalid("audio.sha256", code.AudioMissing, "is required", "upload the recording first and send what it answers")
	case !mediaType.MatchString(a.Type) || !strings.HasPrefix(a.Type, "audio/"):
		return Invalid("audio.type", code.AudioType, "is not an audio media type", "use the type that the upload answers")
	case a.Bytes <= 0 || a.Duration < 0:
		return Invalid("audio.bytes", code.AudioSize, "and duration_s must be the recording's", "send what the upload answers")
	}
	return nil
}

func (t *TextRef) Check() error {
	switch {
	case t.SHA256 == Hash{}:
		return Invalid("transcript.sha256", code.TranscriptMissing, "is required", "upload the transcript first and send what it answers")
	case !mediaType.MatchString(t.Type):
		return Invalid("transcript.type", code.TranscriptType, "is not a media type", "use the type that the upload answers")
	}
	return nil
}
