package host

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agentnet/netctl/netkit/private"
	"github.com/agentnet/netctl/server/audio"
)

// Secret files of a folder, readable by its owner only. Copies of a folder leave
// the snapshot key out: a snapshot that comes back without it is not believed.
const (
	snapshotKeyFile = "snapshot.key"
	signingKeyFile  = "signing.key"
)

const snapshotKeySize = 32

// snapshotKey reads the key that seals snapshots. Where there is none it makes
// one, which costs the next start a full replay and nothing else.
func (cfg *Config) snapshotKey(begins bool) ([]byte, error) {
	path := filepath.Join(cfg.Dir, snapshotKeyFile)
	key, err := os.ReadFile(path)
	switch {
	case err == nil && len(key) == snapshotKeySize:
		return key, nil
	case err == nil:
		cfg.warn("%s has %d bytes where a key has %d: another one was made, and the snapshot is not used", path, len(key), snapshotKeySize)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case !begins:
		cfg.notice("%s is missing, as in a folder of an earlier release or in a copy: another one was made, and a snapshot, if there is one, is not used", path)
	}
	return makeKey(path, snapshotKeySize, nil)
}

// makeKey writes a random key, followed by what bind makes of it.
func makeKey(path string, size int, bind func(key []byte) []byte) ([]byte, error) {
	key := make([]byte, size)
	if _, err := io.ReadFull(rand.Reader, key); err != nil {
		return nil, err
	}
	text := key
	if bind != nil {
		text = append(bytes.Clone(key), bind(key)...)
	}
	return key, private.WriteFile(path, text)
}

// signingKey reads the key that signs addresses of paid recordings and of
// invitations. Behind it stands an HMAC of it under the log key, so that a key
// that was altered, or that is of another network, is refused. A file of an
// earlier release lacks the HMAC, and gets it at the first start of this one,
// which is the start that finds no snapshot key.
func (cfg *Config) signingKey(logKey string, begins bool) ([]byte, error) {
	path := filepath.Join(cfg.Dir, signingKeyFile)
	bind := boundTo(logKey)
	if begins { // what is there is of a start that failed
		return makeKey(path, audio.KeySize, bind)
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		cfg.warn("%s is missing: another one was made, and addresses of recordings and invitations that were given out no longer hold", path)
		return makeKey(path, audio.KeySize, bind)
	}
	if err != nil {
		return nil, err
	}
	key := text[:min(len(text), audio.KeySize)]
	if len(key) == audio.KeySize {
		if hmac.Equal(text[len(key):], bind(key)) {
			return key, nil
		}
		if _, err := os.Stat(filepath.Join(cfg.Dir, snapshotKeyFile)); len(text) == len(key) && errors.Is(err, fs.ErrNotExist) {
			cfg.notice("%s, of an earlier release, was bound to this network", path)
			return key, private.WriteFile(path, append(bytes.Clone(key), bind(key)...))
		}
	}
	return nil, fmt.Errorf("host: %s was altered, or belongs to another network; put it back, or remove it: then another one is made, and addresses of recordings and invitations that were given out no longer hold", path)
}

// boundTo returns a function that returns the HMAC of a key under the key of the log.
func boundTo(logKey string) func(key []byte) []byte {
	return func(key []byte) []byte {
		h := hmac.New(sha256.New, []byte(logKey))
		h.Write([]byte("netctl signing key\n"))
		h.Write(key)
		return h.Sum(nil)
	}
}
