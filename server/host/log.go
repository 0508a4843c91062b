package host

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/private"
	"github.com/agentnet/netctl/netkit/proof"
)

// publicFile holds the public half of log.key.
const publicFile = "log.pub"

// ErrLogKey means that the key by which the network signs its log is missing,
// or is another network's.
var ErrLogKey = errors.New("host: the key of the log")

// openLog makes the log of a folder's journal, which has size entries, and puts
// its public key into the genesis of a network that is about to begin. It returns
// the log's private key too.
func (cfg *Config) openLog(ctx context.Context, s journal.Store, size uint64, inPlace func() error) (log *proof.Log, secret string, err error) {
	network, named := "", ""
	if size == 0 {
		network = cfg.Genesis.Network
	} else if network, named, err = foundation(ctx, s); err != nil {
		return nil, "", err
	}
	secret, public, err := cfg.logKey(proof.Origin(network), named, size == 0)
	if err != nil {
		return nil, "", err
	}
	if size == 0 {
		cfg.Genesis.LogKey = public
	}
	kept, err := keptCheckpoints(cfg.Dir)
	if err != nil {
		return nil, "", err
	}
	pc := proof.Config{Store: s, Key: secret, Witnesses: cfg.Witnesses, Quorum: cfg.Quorum}
	shown, signed := filepath.Join(cfg.Dir, shownFile), filepath.Join(cfg.Dir, signedFile)
	if len(cfg.Witnesses) > 0 {
		pc.Last, pc.Keep = kept[shown], keepFile(shown, inPlace)
	} else {
		signed = shown // the head that is signed is what is shown
	}
	pc.Signed, pc.KeepSigned = kept[signed], keepFile(signed, inPlace)
	log, err = proof.New(ctx, pc)
	return log, secret, err
}

// keepFile returns what writes checkpoints to a file, unless the journal of
// another network stands beside it by now.
func keepFile(path string, inPlace func() error) func(context.Context, []byte) error {
	return func(_ context.Context, text []byte) error {
		if err := inPlace(); err != nil {
			return err
		}
		return private.WriteFile(path, text)
	}
}

// foundation reads from entry 0 what the network is called, and the public key
// of its log; journals from before there were logs name none.
func foundation(ctx context.Context, s journal.Store) (network, key string, err error) {
	for r, err := range s.Read(ctx, 0, 1) {
		var e struct {
			Fact struct {
				Network string `json:"network"`
				LogKey  string `json:"log_key"`
			} `json:"fact"`
		}
		if err == nil {
			err = json.Unmarshal(r.Public, &e)
		}
		return e.Fact.Network, e.Fact.LogKey, err
	}
	return "", "", fmt.Errorf("%w: it has no entry 0", netkit.ErrCorrupt)
}

// logKey reads the key in log.key, which only its owner can read, and makes one
// where nothing names one yet. log.pub beside it is for everybody.
func (cfg *Config) logKey(origin, named string, fresh bool) (secret, public string, err error) {
	path := filepath.Join(cfg.Dir, "log.key")
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if named != "" {
			return "", "", fmt.Errorf("%w is missing: %s holds the secret half of %s, which this network signs with; restore it from a copy", ErrLogKey, path, named)
		}
		return newLogKey(cfg.Dir, origin)
	}
	if err != nil {
		return "", "", err
	}
	secret = strings.TrimSpace(string(b))
	if public, err = proof.PublicKey(secret); err != nil {
		return "", "", fmt.Errorf("%w in %s cannot be read: %w; restore it from a copy", ErrLogKey, path, err)
	}
	name, _, _ := strings.Cut(public, "+")
	switch {
	case named == public || named == "" && name == origin:
		return secret, public, cfg.checkPublic(public, fresh)
	case fresh:
		// Of a start that failed before its first entry, under another name.
		if err := os.Rename(path, path+"-"+strings.TrimPrefix(name, proof.Origin(""))); err != nil {
			return "", "", err
		}
		return newLogKey(cfg.Dir, origin)
	}
	return "", "", fmt.Errorf("%w in %s is that of %s, and this network is %s; restore its own from a copy", ErrLogKey, path, name, origin)
}

func newLogKey(dir, origin string) (secret, public string, err error) {
	if secret, public, err = proof.NewKey(rand.Reader, origin); err != nil {
		return "", "", err
	}
	if err := private.WriteFile(filepath.Join(dir, "log.key"), []byte(secret+"\n")); err != nil {
		return "", "", err
	}
	return secret, public, writePublic(dir, public)
}

// writePublic keeps log.pub in step with log.key.
func writePublic(dir, public string) error {
	return private.WriteFile(filepath.Join(dir, publicFile), []byte(public+"\n"))
}

// checkPublic compares log.pub, which operators hand to auditors, with log.key,
// and writes it again where it differs.
func (cfg *Config) checkPublic(public string, fresh bool) error {
	b, err := os.ReadFile(filepath.Join(cfg.Dir, publicFile))
	switch {
	case err == nil && strings.TrimSpace(string(b)) == public:
		return nil
	case err == nil:
		cfg.warn("%s was not the public half of log.key: it was written again, and whoever took the key from there has a wrong one", filepath.Join(cfg.Dir, publicFile))
	case !errors.Is(err, fs.ErrNotExist):
		return err
	case !fresh:
		cfg.warn("%s was missing: it was written again", filepath.Join(cfg.Dir, publicFile))
	}
	return writePublic(cfg.Dir, public)
}

// witnessed tells the network's rules what its witnesses have cosigned, nil
// where none are required.
func (cfg *Config) witnessed(l *proof.Log) func() (netkit.TreeHead, bool) {
	if cfg.Quorum == 0 {
		return nil
	}
	return func() (netkit.TreeHead, bool) {
		t, ok := l.Latest()
		return netkit.TreeHead{Size: uint64(t.N), Root: netkit.Hash(t.Hash)}, ok
	}
}
