package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"filippo.io/age"

	"github.com/agentnet/netctl/netkit/private"
)

// drillKeyFile holds the identities by which a server opens the public side of its
// own backups, one of each kind that age has: recipients of one member must be of
// one kind. A backup does not hold them, and their loss costs nothing.
const drillKeyFile = "drill.key"

// drillKey returns the recipient for the public members of a backup to others.
func drillKey(dir string, recipients []string) (age.Recipient, error) {
	ids, err := drillIdentities(dir)
	if err != nil {
		return nil, err
	}
	quantum := len(recipients) > 0 && strings.HasPrefix(strings.ToLower(recipients[0]), "age1pq1")
	for _, id := range ids {
		switch id := id.(type) {
		case *age.HybridIdentity:
			if quantum {
				return id.Recipient(), nil
			}
		case *age.X25519Identity:
			if !quantum {
				return id.Recipient(), nil
			}
		}
	}
	return nil, fmt.Errorf("host: %s lacks an identity of each kind; remove it, and the next backup makes another one", filepath.Join(dir, drillKeyFile))
}

// drillIdentities reads the identities, and makes them where the file is missing.
func drillIdentities(dir string) ([]age.Identity, error) {
	path := filepath.Join(dir, drillKeyFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = makeDrillKey(path)
	}
	if err != nil {
		return nil, err
	}
	ids, err := age.ParseIdentities(strings.NewReader(string(text)))
	if err != nil {
		return nil, fmt.Errorf("host: %s cannot be read: %w; remove it, and the next backup makes another one", path, err)
	}
	return ids, nil
}

func makeDrillKey(path string) ([]byte, error) {
	one, err := age.GenerateX25519Identity()
	if err != nil {
		return nil, err
	}
	other, err := age.GenerateHybridIdentity()
	if err != nil {
		return nil, err
	}
	text := []byte("# opens the public side of this network's backups, for the daily drill\n" + one.String() + "\n" + other.String() + "\n")
	return text, private.WriteFile(path, text)
}
