// Package vault keeps an agent's own keys on the agent's own machine: that of its
// language model, and the one that it signs with. No network is ever sent them.
//
// A command that the program was given is asked for a key first (that of a
// password manager, say), then the environment, which holds the key or names a
// command, then the store that it was put into last: the keyring of the system,
// or, where none answered, a file that a passphrase encrypts (age, readable by its
// owner alone). It is never kept in plain text. On a machine without a keyring, such as a server, the file serves.
package vault

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Name says what a key is for.
type Name string

// The keys.
const (
	Model   Name = "model"   // of the agent's language model
	Signing Name = "signing" // Ed25519, in PEM (PKCS #8); proves a wallet address
)

// Names lists the keys.
func Names() []Name { return []Name{Model, Signing} }

// Env is the variable that holds a key; with "_CMD" behind it, the one that holds
// the command which prints the key.
func (n Name) Env() string { return "NETCTL_" + strings.ToUpper(string(n)) + "_KEY" }

// The variables that say how keys are kept.
const (
	PassphraseEnv = "NETCTL_KEY_PASSPHRASE" // of the encrypted files; with "_CMD" behind it, a command that prints it
	StoreEnv      = "NETCTL_KEY_STORE"      // "keyring" or "file" uses that alone; default: the keyring, or a file without one
)

// Source is a place that a key may come from.
type Source string

// The sources, in the order in which they are asked. A command that the program
// was given, and not the environment, goes before all.
const (
	Environment Source = "environment"
	Command     Source = "command"
	FileKept    Source = "file"
	KeyringKept Source = "keyring"
)

// Place is where a key is, without the key.
type Place struct {
	Source Source `json:"source"`
	Where  string `json:"where" doc:"name of the variable, path of the file, or what the keyring calls it"`
}

// What can be wrong. No error holds a key, a passphrase or a command.
var (
	ErrMissing      = errors.New("there is no such key")
	ErrForm         = errors.New("a signing key is Ed25519 in PEM (PKCS #8)")
	ErrNoKeyring    = errors.New("this machine has no keyring that answers")
	ErrLocked       = errors.New("the keyring of this machine does not answer now, and may hold one; unlock it, or set " + StoreEnv + "=file to leave it alone")
	ErrNoPassphrase = errors.New("the file needs its passphrase, and there is no terminal to ask on; set " + PassphraseEnv + "_CMD to a command that prints it, or " + PassphraseEnv)
	ErrPassphrase   = errors.New("the passphrase is wrong")
	ErrDamaged      = errors.New("the file of the key is damaged; set the key again")
)

// Vault says where the keys of one user are. The zero value is that of netctl,
// without a person to ask for a passphrase.
type Vault struct {
	Dir           string                                // folder of the encrypted files; "" means that of netctl
	KeyCmd        string                                // command that prints the key that is asked for; before the environment
	PassphraseCmd string                                // command that prints the passphrase; before the environment
	Ask           func(question string) (string, error) // asks a person for a passphrase without showing it; nil means that nobody is there
	Env           func(string) (string, bool)           // nil means os.LookupEnv
	Keyring       Keyring                               // nil means that of the system
	Stderr        io.Writer                             // of the commands; nil drops it

	work int // exponent of what a guess of the passphrase costs; 0 means that of age, about a second
}

// variable returns what a variable of the environment holds, "" for nothing.
func (v *Vault) variable(name string) string {
	look := v.Env
	if look == nil {
		look = os.LookupEnv
	}
	value, _ := look(name)
	return value
}

// keyCmd is the command that prints a key, "" for none.
func (v *Vault) keyCmd(name Name) string {
	if v.KeyCmd != "" {
		return v.KeyCmd
	}
	return v.variable(name.Env() + "_CMD")
}

// path is the file of a key.
func (v *Vault) path(name Name) string { return filepath.Join(v.dir(), string(name)+".age") }

// dir is the folder of the files.
func (v *Vault) dir() string {
	if v.Dir != "" {
		return v.Dir
	}
	config := v.variable("XDG_CONFIG_HOME")
	if !filepath.IsAbs(config) {
		config, _ = os.UserConfigDir() // without one the folder at hand serves
	}
	return filepath.Join(config, "netctl", "keys")
}

// places are where a key may be, in the order in which they are asked.
func (v *Vault) places(name Name) (all []Place, err error) {
	if v.KeyCmd != "" {
		all = append(all, Place{Command, "--key-cmd"})
	}
	if v.variable(name.Env()) != "" {
		all = append(all, Place{Environment, name.Env()})
	}
	if v.KeyCmd == "" && v.keyCmd(name) != "" {
		all = append(all, Place{Command, name.Env() + "_CMD"})
	}
	stores, err := v.stores(name)
	slices.Reverse(stores) // a file was put there last: what the keyring takes in removes it
	return append(all, stores...), err
}

// stores are the places that a key can be put into, the first that works.
func (v *Vault) stores(name Name) ([]Place, error) {
	ring, file := Place{KeyringKept, service + "/" + string(name)}, Place{FileKept, v.path(name)}
	switch v.variable(StoreEnv) {
	case "":
		return []Place{ring, file}, nil
	case string(KeyringKept):
		return []Place{ring}, nil
	case string(FileKept):
		return []Place{file}, nil
	}
	return nil, errors.New(StoreEnv + " is keyring or file; without it the keyring is used, or a file where there is no keyring")
}

// Get returns a key and where it comes from. It refuses with ErrMissing.
func (v *Vault) Get(ctx context.Context, name Name) (Secret, Place, error) {
	places, err := v.places(name)
	if err != nil {
		return Secret{}, Place{}, err
	}
	missing := ErrMissing
	for _, p := range places {
		s, err := v.read(ctx, p, name)
		if errors.Is(err, ErrNoKeyring) || errors.Is(err, ErrLocked) {
			missing = fmt.Errorf("%w, and %w", ErrMissing, err)
			continue
		}
		if errors.Is(err, ErrMissing) {
			continue
		}
		if err == nil {
			err = name.Check(s)
		}
		if err != nil {
			return Secret{}, p, fmt.Errorf("the %s key from %s: %w", name, p.Where, err)
		}
		return s, p, nil
	}
	return Secret{}, Place{}, fmt.Errorf("the %s key: %w: netctl key set %s keeps one, %s holds one, %s_CMD names a command that prints it", name, missing, name, name.Env(), name.Env())
}

// read asks one place.
func (v *Vault) read(ctx context.Context, p Place, name Name) (Secret, error) {
	switch p.Source {
	case Environment:
		return NewSecret(v.variable(name.Env())), nil
	case Command:
		text, err := v.printed(ctx, v.keyCmd(name))
		return NewSecret(text), err
	case KeyringKept:
		return v.ringGet(ctx, name)
	}
	b, err := os.ReadFile(p.Where)
	if errors.Is(err, fs.ErrNotExist) {
		return Secret{}, ErrMissing
	}
	if err != nil {
		return Secret{}, err
	}
	return v.open(ctx, b)
}

// Check refuses what cannot be such a key.
func (n Name) Check(s Secret) error {
	text := s.Reveal()
	if n == Signing {
		_, err := s.SigningKey()
		return err
	}
	if text == "" {
		return errors.New("the key is empty")
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("a key is one line of printable ASCII characters without spaces")
	}
	return nil
}

// Status lists where a key is, first the place that it is taken from. It
// decrypts nothing and runs no command.
func (v *Vault) Status(ctx context.Context, name Name) (found []Place, err error) {
	places, err := v.places(name)
	for _, p := range places {
		there := true
		switch p.Source {
		case KeyringKept:
			_, missing := v.ringGet(ctx, name)
			there = missing == nil
		case FileKept:
			_, missing := os.Stat(p.Where)
			there = missing == nil
		}
		if there {
			found = append(found, p)
		}
	}
	return found, err
}

// Set keeps a key in the keyring, or in an encrypted file where none answers. The
// file goes before what a keyring may still hold.
func (v *Vault) Set(ctx context.Context, name Name, s Secret) (Place, error) {
	if err := name.Check(s); err != nil {
		return Place{}, err
	}
	places, err := v.stores(name)
	if err != nil {
		return Place{}, err
	}
	for _, p := range places {
		if p.Source == FileKept {
			return p, v.seal(ctx, p.Where, s)
		}
		if err = v.ringSet(ctx, name, s); err == nil {
			if err = removeFile(v.path(name)); errors.Is(err, ErrMissing) {
				err = nil
			}
			return p, err
		}
	}
	return Place{}, err
}

// Remove forgets a key that Set kept, wherever that was, and says where. While
// the keyring does not answer it fails with ErrLocked and removes nothing, since
// the key that the file goes before would come back.
func (v *Vault) Remove(ctx context.Context, name Name) (gone []Place, err error) {
	places, err := v.stores(name)
	if err != nil {
		return nil, err
	}
	for _, p := range places {
		if p.Source == FileKept {
			err = removeFile(p.Where)
		} else {
			err = v.ringDelete(ctx, name)
		}
		switch {
		case err == nil:
			gone = append(gone, p)
		case !errors.Is(err, ErrMissing) && !errors.Is(err, ErrNoKeyring):
			return gone, fmt.Errorf("the %s key is not removed: %w", name, err)
		}
	}
	if len(gone) == 0 {
		return nil, ErrMissing
	}
	return gone, nil
}
