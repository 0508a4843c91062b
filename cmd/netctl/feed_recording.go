package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
)

// attachFiles stores the files of a dispatch and names them in it. A dry run names
// them by their hashes and stores nothing.
func (c *call) attachFiles(in *netkit.Publish, recording, transcript string) error {
	if recording != "" {
		err := c.upload(recording, func(f *os.File, hash netkit.Hash) error {
			ref := netkit.AudioRef{SHA256: hash}
			var err error
			if !c.dry {
				ref, err = c.net.UploadAudio(c.ctx, f)
			}
			in.Audio = &ref
			return err
		})
		if err != nil {
			return err
		}
	}
	if transcript == "" {
		return nil
	}
	return c.upload(transcript, func(f *os.File, hash netkit.Hash) error {
		ref := netkit.TextRef{SHA256: hash}
		var err error
		if !c.dry {
			ref, err = c.net.UploadTranscript(c.ctx, f)
		}
		in.Transcript = &ref
		return err
	})
}

func (c *call) upload(path string, send func(*os.File, netkit.Hash) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return fmt.Errorf("%s cannot be read: %w", path, err)
	}
	return send(f, netkit.Hash(h.Sum(nil)))
}

func feedFetch(a *app) *cobra.Command {
	var file string
	return a.verb(verb{use: "fetch DISPATCH", short: "Save the recording of a dispatch that is free or paid for", args: exactly("DISPATCH"),
		needs: []string{"file"},
		flags: func(f *pflag.FlagSet) { f.StringVarP(&file, "file", "f", "", "file to write; - is standard output") },
		run: func(c *call) error {
			dispatch, err := id(c.args[0])
			if err != nil {
				return err
			}
			d, err := c.net.Dispatch(c.ctx, dispatch)
			if err != nil {
				return err
			}
			if d.Audio == nil {
				return because(netkit.ErrNotFound, "dispatch %d has no recording", dispatch)
			}
			return c.saveRecording(d.Audio.URL, file)
		}})
}

// saveRecording copies a recording to a file.
func (c *call) saveRecording(url, file string) error {
	if file == "-" {
		_, err := c.net.Download(c.ctx, url, c.out)
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	n, err := c.net.Download(c.ctx, url, f)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(file))
	}
	c.talk("%d bytes are in %s", n, file)
	return nil
}
