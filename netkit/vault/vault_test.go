package vault

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/zalando/go-keyring"
)

const canary = "sk-canary-0123456789"

// memory is a keyring; broken makes it fail as one does that is locked.
type memory struct {
	kept   map[string]string
	broken error
}

func (m *memory) Get(service, user string) (string, error) {
	text, ok := m.kept[service+"/"+user]
	if !ok && m.broken == nil {
		return "", keyring.ErrNotFound
	}
	return text, m.broken
}

func (m *memory) Set(service, user, secret string) error {
	if m.broken == nil {
		m.kept[service+"/"+user] = secret
	}
	return m.broken
}

func (m *memory) Delete(service, user string) error {
	if _, err := m.Get(service, user); err != nil {
		return err
	}
	delete(m.kept, service+"/"+user)
	return nil
}

// fixture is a vault with a keyring of its own and a cheap passphrase.
func fixture(t *testing.T, env map[string]string) (*Vault, *memory) {
	t.Helper()
	ring := &memory{kept: map[string]string{}}
	return &Vault{Dir: t.TempDir(), Keyring: ring, work: 4,
		Env: func(name string) (string, bool) { value, ok := env[name]; return value, ok }}, ring
}

func set(t *testing.T, v *Vault, text string, want Source) {
	t.Helper()
	if p, err := v.Set(t.Context(), Model, NewSecret(text)); err != nil || p.Source != want {
		t.Fatalf("got %v, %v, want the key in the %s", p, err, want)
	}
}

func get(t *testing.T, v *Vault, text string, want Source) {
	t.Helper()
	s, p, err := v.Get(t.Context(), Model)
	if err != nil || s.Reveal() != text || p.Source != want {
		t.Errorf("got %q from %v, %v, want %q from the %s", s.Reveal(), p, err, text, want)
	}
	if found, err := v.Status(t.Context(), Model); err != nil || len(found) == 0 || found[0] != p {
		t.Errorf("the status is %v, %v, want %v first", found, err, p)
	}
}

// The command that was given, environment, its command, where it was put last: the
// first that has a key gives it.
func TestOrder(t *testing.T) {
	env := map[string]string{StoreEnv: "file", PassphraseEnv: "correct horse"}
	v, _ := fixture(t, env)
	if _, _, err := v.Get(t.Context(), Model); !errors.Is(err, ErrMissing) {
		t.Errorf("got %v, want that there is none", err)
	}
	set(t, v, "in-file", FileKept)
	get(t, v, "in-file", FileKept)
	delete(env, StoreEnv)
	set(t, v, "in-ring", KeyringKept)
	get(t, v, "in-ring", KeyringKept)
	env["NETCTL_MODEL_KEY_CMD"] = "echo by-command"
	get(t, v, "by-command", Command)
	env["NETCTL_MODEL_KEY"] = "in-env"
	get(t, v, "in-env", Environment)
	v.KeyCmd = "echo by-flag"
	get(t, v, "by-flag", Command)
}

// A keyring that was locked while a key was replaced or removed brings no old one
// back.
func TestLockedForAMoment(t *testing.T) {
	env := map[string]string{PassphraseEnv: "correct horse"}
	v, ring := fixture(t, env)
	locked := errors.New("locked: " + canary)
	set(t, v, "old", KeyringKept)
	ring.broken = locked
	set(t, v, "new", FileKept)
	get(t, v, "new", FileKept)
	ring.broken = nil
	get(t, v, "new", FileKept)
	ring.broken = locked
	if gone, err := v.Remove(t.Context(), Model); !errors.Is(err, ErrLocked) || len(gone) != 0 || strings.Contains(err.Error(), canary) {
		t.Errorf("got %v, %v, want that the keyring may hold one, and nothing removed", gone, err)
	}
	ring.broken = nil
	get(t, v, "new", FileKept)
	if gone, err := v.Remove(t.Context(), Model); err != nil || len(gone) != 2 {
		t.Errorf("got %v, %v, want both removed", gone, err)
	}
	if _, _, err := v.Get(t.Context(), Model); !errors.Is(err, ErrMissing) {
		t.Errorf("got %v, want that there is none", err)
	}
	set(t, v, "old", KeyringKept)
	ring.broken = dbus.Error{Name: "org.freedesktop.DBus.Error.ServiceUnknown"}
	set(t, v, "new", FileKept)
	if gone, err := v.Remove(t.Context(), Model); err != nil || len(gone) != 1 {
		t.Errorf("got %v, %v, want the file removed where there is no keyring", gone, err)
	}
}

// A key is in one store at a time, so that no old one comes back.
func TestSetAndRemove(t *testing.T) {
	env := map[string]string{PassphraseEnv: "correct horse"}
	v, ring := fixture(t, env)
	set(t, v, "one", KeyringKept)
	ring.broken = errors.New("locked: " + canary)
	set(t, v, "two", FileKept)
	ring.broken = nil
	set(t, v, "three", KeyringKept)
	if _, err := os.Stat(v.path(Model)); err == nil {
		t.Error("the file of the second key is still there")
	}
	if gone, err := v.Remove(t.Context(), Model); err != nil || len(gone) != 1 || len(ring.kept) != 0 {
		t.Errorf("got %v, %v, want the key removed from the keyring", gone, err)
	}
	if _, err := v.Remove(t.Context(), Model); !errors.Is(err, ErrMissing) {
		t.Errorf("got %v, want that there is none", err)
	}
	env[StoreEnv] = "disk"
	if _, err := v.Set(t.Context(), Model, NewSecret("x")); err == nil || !strings.Contains(err.Error(), StoreEnv) {
		t.Errorf("got %v, want the variable named", err)
	}
}

// Without a keyring the file serves: readable by its owner alone, unreadable
// without the passphrase, and its damage is noticed.
func TestFile(t *testing.T) {
	env := map[string]string{PassphraseEnv: "correct horse"}
	v, ring := fixture(t, env)
	ring.broken = errors.New("no bus")
	set(t, v, canary, FileKept)
	info, err := os.Stat(v.path(Model))
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v, want a file that its owner alone reads", info.Mode(), err)
	}
	sealed, err := os.ReadFile(v.path(Model))
	if err != nil || strings.Contains(string(sealed), canary) {
		t.Errorf("got %q, %v, want no plain text", sealed, err)
	}
	fails := func(name string, content []byte, phrase string, want error) {
		t.Helper()
		env[PassphraseEnv] = phrase
		if err := os.WriteFile(v.path(Model), content, 0o600); err != nil {
			t.Fatal(err)
		}
		if s, _, err := v.Get(t.Context(), Model); !errors.Is(err, want) || s.Reveal() != "" {
			t.Errorf("%s: got %v, want %v", name, err, want)
		}
	}
	fails("another passphrase", sealed, "wrong horse", ErrPassphrase)
	fails("none", sealed, "", ErrNoPassphrase)
	flipped := append([]byte(nil), sealed...)
	flipped[len(flipped)-1] ^= 1
	fails("a changed byte", flipped, "correct horse", ErrDamaged)
	fails("cut off", sealed[:len(sealed)-3], "correct horse", ErrDamaged)
	fails("something else", []byte("hello"), "correct horse", ErrDamaged)
	fails("empty", nil, "correct horse", ErrDamaged)
}

// A person is asked twice for a new passphrase, and once for an old one.
func TestAskedPassphrase(t *testing.T) {
	v, ring := fixture(t, nil)
	ring.broken = errors.New("no bus")
	var typed []string
	v.Ask = func(string) (string, error) {
		if len(typed) == 0 {
			return "", errors.New("asked too often")
		}
		first := typed[0]
		typed = typed[1:]
		return first, nil
	}
	for _, c := range []struct {
		typed []string
		want  string
	}{{[]string{"correct horse", "correct house"}, "differ"}, {[]string{"short", "short"}, "shorter than 8"}} {
		typed = c.typed
		if _, err := v.Set(t.Context(), Model, NewSecret("x")); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got %v, want %q", c.typed, err, c.want)
		}
	}
	typed = []string{"correct horse", "correct horse"}
	set(t, v, "x", FileKept)
	typed = []string{"correct horse"}
	get(t, v, "x", FileKept)
	v.PassphraseCmd = "echo correct horse"
	get(t, v, "x", FileKept)
}

// What a command prints and why it fails is told to nobody.
func TestCommandsKeepQuiet(t *testing.T) {
	v, _ := fixture(t, nil)
	for _, line := range []string{"echo " + canary + " >&2; exit 3", "echo " + canary + " two", "true", "no-such-command-" + canary} {
		v.KeyCmd = line
		s, _, err := v.Get(t.Context(), Model)
		if err == nil || strings.Contains(fmt.Sprintf("%v %+v", err, err), canary) || s.Reveal() != "" {
			t.Errorf("%s: got %v, want an error without the key", line, err)
		}
	}
}

// A secret shows itself in no form but Reveal.
func TestSecretIsHidden(t *testing.T) {
	s := NewSecret(" " + canary + "\n")
	if s.Reveal() != canary {
		t.Fatalf("got %q", s.Reveal())
	}
	holder := struct {
		Public  Secret
		private Secret
	}{s, s}
	var b strings.Builder
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		fmt.Fprintf(&b, verb+verb+verb, s, &s, holder)
	}
	slog.New(slog.NewJSONHandler(&b, nil)).Info("x", "key", s, "all", holder)
	if err := json.NewEncoder(&b).Encode(holder); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), canary) || strings.Contains(b.String(), fmt.Sprintf("%x", canary)) {
		t.Errorf("got %q, want no key in it", b.String())
	}
	if (Secret{}).Reveal() != "" {
		t.Error("the zero value holds a key")
	}
}

func TestSigningKey(t *testing.T) {
	s, public, err := NewSigning(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	v, _ := fixture(t, nil)
	if _, err := v.Set(t.Context(), Signing, s); err != nil {
		t.Fatal(err)
	}
	back, _, err := v.Get(t.Context(), Signing)
	if err != nil {
		t.Fatal(err)
	}
	key, err := back.SigningKey()
	if err != nil || !public.Equal(key.Public().(ed25519.PublicKey)) {
		t.Errorf("got another key, %v", err)
	}
	for _, bad := range []string{"", "x", canary, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"} {
		if _, err := v.Set(t.Context(), Signing, NewSecret(bad)); !errors.Is(err, ErrForm) {
			t.Errorf("%q: got %v, want %v", bad, err, ErrForm)
		}
	}
	for _, bad := range []string{"", "two words", "two\nlines", "schlüssel"} {
		if _, err := v.Set(t.Context(), Model, NewSecret(bad)); err == nil {
			t.Errorf("%q was taken for a key", bad)
		}
	}
}

// Where no D-Bus runs, no keyring is looked for and none is started.
func TestHeadless(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a session's D-Bus is Linux's")
	}
	dir := t.TempDir()
	env := map[string]string{"XDG_RUNTIME_DIR": dir, PassphraseEnv: "correct horse"}
	v := &Vault{Dir: filepath.Join(dir, "keys"), work: 4, Env: func(name string) (string, bool) { value, ok := env[name]; return value, ok }}
	set(t, v, canary, FileKept)
	get(t, v, canary, FileKept)
	env["NETCTL_KEY_STORE"] = "keyring"
	if _, err := v.Set(t.Context(), Model, NewSecret(canary)); !errors.Is(err, ErrNoKeyring) {
		t.Errorf("got %v, want %v", err, ErrNoKeyring)
	}
	if _, _, err := v.Get(t.Context(), Model); !errors.Is(err, ErrMissing) || !errors.Is(err, ErrNoKeyring) {
		t.Errorf("got %v, want that there is neither key nor keyring", err)
	}
}

// The keyring of the system is reached through the library, and one that never
// answers does not hold anybody up.
func TestSystemKeyring(t *testing.T) {
	keyring.MockInit()
	v, _ := fixture(t, map[string]string{"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"})
	v.Keyring = nil
	set(t, v, "in-ring", KeyringKept)
	get(t, v, "in-ring", KeyringKept)
	keyring.MockInitWithError(errors.New("locked"))
	if _, _, err := v.Get(t.Context(), Model); !errors.Is(err, ErrLocked) {
		t.Errorf("got %v, want %v", err, ErrLocked)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	v.Keyring = silent{}
	if _, _, err := v.Get(ctx, Model); !errors.Is(err, ErrLocked) {
		t.Errorf("got %v, want %v", err, ErrLocked)
	}
}

// silent never answers.
type silent struct{}

func (silent) Get(string, string) (string, error) { select {} }
func (silent) Set(string, string, string) error   { select {} }
func (silent) Delete(string, string) error        { select {} }

// A command that never stops printing is ended at the limit of a key, with what
// it started.
func TestCommandOutputIsBounded(t *testing.T) {
	var kept keyBuffer
	kept.full = func() {}
	chunk := make([]byte, 32<<10)
	for range 100 {
		_, _ = kept.Write(chunk)
	}
	if !kept.over || kept.Len() != maxKey {
		t.Errorf("got %d bytes kept, want %d", kept.Len(), maxKey)
	}
	if runtime.GOOS == "windows" {
		t.Skip("needs a Unix shell")
	}
	mark := filepath.Join(t.TempDir(), "pid")
	for _, line := range []string{"exec yes", "yes | cat", "echo $$ > '" + mark + "'; while :; do echo a key that is a line; done"} {
		v := new(Vault)
		if _, err := v.printed(t.Context(), line); !errors.Is(err, errLongKey) {
			t.Errorf("%s: got %v, want %v", line, err, errLongKey)
		}
	}
	b, err := os.ReadFile(mark)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		t.Fatal(err)
	}
	if p, err := os.FindProcess(pid); err == nil && p.Signal(syscall.Signal(0)) == nil {
		t.Errorf("process %d still runs", pid)
	}
	if got, err := new(Vault).printed(t.Context(), "echo a-key"); got != "a-key" || err != nil {
		t.Errorf("got %q, %v, want a key", got, err)
	}
}
