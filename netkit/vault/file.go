package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"filippo.io/age"

	"github.com/agentnet/netctl/netkit/private"
)

const (
	minPassphrase = 8  // characters
	maxWork       = 20 // exponent: a file that costs more was not written here
	maxKey        = 64 << 10
)

// seal writes a key into a file that a passphrase encrypts.
func (v *Vault) seal(ctx context.Context, path string, s Secret) error {
	phrase, err := v.passphrase(ctx, true)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	to, err := age.NewScryptRecipient(phrase)
	if err != nil {
		return err
	}
	if v.work != 0 {
		to.SetWorkFactor(v.work)
	}
	var b bytes.Buffer
	w, err := age.Encrypt(&b, to)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, s.Reveal())
	if err = errors.Join(err, w.Close()); err != nil {
		return err
	}
	return private.WriteFile(path, b.Bytes())
}

// open decrypts the content of a file.
func (v *Vault) open(ctx context.Context, b []byte) (Secret, error) {
	phrase, err := v.passphrase(ctx, false)
	if err != nil {
		return Secret{}, err
	}
	with, err := age.NewScryptIdentity(phrase)
	if err != nil {
		return Secret{}, err
	}
	with.SetMaxWorkFactor(maxWork)
	r, err := age.Decrypt(bytes.NewReader(b), with)
	var other *age.NoIdentityMatchError
	if errors.As(err, &other) {
		return Secret{}, ErrPassphrase
	}
	if err != nil {
		return Secret{}, ErrDamaged
	}
	text, err := io.ReadAll(io.LimitReader(r, maxKey))
	if err != nil {
		return Secret{}, ErrDamaged
	}
	return NewSecret(string(text)), nil
}

// passphrase comes from a command, the environment, or a person; a person types
// a new one twice.
func (v *Vault) passphrase(ctx context.Context, fresh bool) (phrase string, err error) {
	command := v.PassphraseCmd
	if command == "" {
		command = v.variable(PassphraseEnv + "_CMD")
	}
	switch phrase = v.variable(PassphraseEnv); {
	case command != "":
		phrase, err = v.printed(ctx, command)
	case phrase != "":
	case v.Ask == nil:
		return "", ErrNoPassphrase
	default:
		phrase, err = v.asked(fresh)
	}
	if err == nil && fresh && len([]rune(phrase)) < minPassphrase {
		err = errors.New("the passphrase is shorter than 8 characters; choose several words")
	}
	if err == nil && phrase == "" {
		err = ErrPassphrase
	}
	return phrase, err
}

func (v *Vault) asked(fresh bool) (string, error) {
	phrase, err := v.Ask("passphrase of the key file")
	if err != nil || !fresh {
		return phrase, err
	}
	again, err := v.Ask("the same again")
	if err == nil && again != phrase {
		err = errors.New("the two passphrases differ; nothing was changed")
	}
	return phrase, err
}

func removeFile(path string) error {
	err := private.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return ErrMissing
	}
	return err
}
