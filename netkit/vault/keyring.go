package vault

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/zalando/go-keyring"
)

// service is what the keys are kept under in a keyring.
const service = "netctl"

// patience is how long a keyring may take: it may ask a person to unlock it.
const patience = 2 * time.Minute

// Keyring keeps secrets by service and user.
type Keyring interface {
	Get(service, user string) (string, error)
	Set(service, user, secret string) error
	Delete(service, user string) error
}

// system is the keyring of the system: Keychain, Credential Manager, or the
// Secret Service on the session's D-Bus.
type system struct{}

func (system) Get(service, user string) (string, error) { return keyring.Get(service, user) }
func (system) Set(service, user, secret string) error   { return keyring.Set(service, user, secret) }
func (system) Delete(service, user string) error        { return keyring.Delete(service, user) }

func (v *Vault) ringGet(ctx context.Context, name Name) (Secret, error) {
	text, err := v.ring(ctx, func(k Keyring) (string, error) { return k.Get(service, string(name)) })
	return NewSecret(text), err
}

func (v *Vault) ringSet(ctx context.Context, name Name, s Secret) error {
	_, err := v.ring(ctx, func(k Keyring) (string, error) { return "", k.Set(service, string(name), s.Reveal()) })
	return err
}

func (v *Vault) ringDelete(ctx context.Context, name Name) error {
	_, err := v.ring(ctx, func(k Keyring) (string, error) { return "", k.Delete(service, string(name)) })
	return err
}

// answer is what a keyring says.
type answer struct {
	text string
	err  error
}

// ring asks the keyring. What it says of what is wrong with it is dropped: all but
// that there is none, it may hold a key.
func (v *Vault) ring(ctx context.Context, ask func(Keyring) (string, error)) (string, error) {
	k := v.Keyring
	if k == nil && !v.session() {
		return "", ErrNoKeyring
	}
	if k == nil {
		k = system{}
	}
	said := make(chan answer, 1)
	go func() {
		text, err := ask(k)
		said <- answer{text, err}
	}()
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	select {
	case a := <-said:
		switch {
		case errors.Is(a.err, keyring.ErrNotFound):
			return "", ErrMissing
		case absent(a.err):
			return "", ErrNoKeyring
		case a.err != nil:
			return "", ErrLocked
		}
		return a.text, nil
	case <-ctx.Done():
		return "", ErrLocked
	}
}

// absent reports whether an error says that this machine has no keyring: no
// system that the library knows, or a D-Bus on which none serves.
func absent(err error) bool {
	var bus dbus.Error
	return errors.Is(err, keyring.ErrUnsupportedPlatform) || errors.As(err, &bus) && bus.Name == "org.freedesktop.DBus.Error.ServiceUnknown"
}

// session reports whether there is a session that a keyring could belong to.
// Without one the library would start a D-Bus of its own and leave it running.
func (v *Vault) session() bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" || v.variable("DBUS_SESSION_BUS_ADDRESS") != "" {
		return true
	}
	dir := v.variable("XDG_RUNTIME_DIR")
	if dir == "" {
		dir = filepath.Join("/run/user", strconv.Itoa(os.Getuid()))
	}
	_, err := os.Stat(filepath.Join(dir, "bus"))
	return err == nil
}
