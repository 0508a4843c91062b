package tui

import (
	"context"
	"errors"
	"os"

	"github.com/agentnet/netctl/netkit"
)

// startPublish takes the files of a recording and its transcript.
func (m *model) startPublish() (start, bool) {
	const recording, transcript = "Recording", "Transcript"
	file := func(label, hint string) *field {
		x := newField(label, hint, "")
		x.Optional = true
		return x
	}
	return start{
		more: []*field{file(recording, "file: WAV, MP3 or Ogg Opus"), file(transcript, "file: WebVTT or plain text")},
		price: func(in any, a *ask) {
			a.question += " It costs you 0.00"
			if in.(*netkit.Publish).Priority == netkit.P0 {
				a.lines = []string{"! A P0 begins a crisis, which stops all commercial contracts until it is resolved."}
			}
		},
		send: func(ctx context.Context, in any, f *form) error {
			p := in.(*netkit.Publish)
			return errors.Join(withFile(f.value(recording), func(r *os.File) error {
				ref, err := m.cfg.Network.UploadAudio(ctx, r)
				p.Audio = &ref
				return err
			}), withFile(f.value(transcript), func(r *os.File) error {
				ref, err := m.cfg.Network.UploadTranscript(ctx, r)
				p.Transcript = &ref
				return err
			}))
		}}, true
}

// withFile opens a file for as long as use takes; no name is no file.
func withFile(name string, use func(*os.File) error) error {
	if name == "" {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return use(f)
}
