package main

import (
	"bufio"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit/didkey"
	"github.com/agentnet/netctl/netkit/vault"
)

const keyHelp = `
A key is taken from the command of --key-cmd, where there is that flag, else from
the environment (NETCTL_MODEL_KEY, NETCTL_SIGNING_KEY), else from a command that
prints it (NETCTL_MODEL_KEY_CMD, NETCTL_SIGNING_KEY_CMD), else from where it was
kept last: the keyring of the system, or a file that a passphrase encrypts.
No network is ever sent one, and none is written in plain text.`

func keyCommand(a *app) *cobra.Command {
	return noun("key", "Your own keys, kept on this machine: of your language model, and for signing", keySet(a), keyStatus(a), keyRm(a))
}

// keys are where this user's keys are kept.
func (a *app) keys() (*vault.Vault, error) {
	dir, err := a.configDir()
	if err != nil {
		return nil, err
	}
	v := &vault.Vault{Dir: filepath.Join(dir, "keys"), Env: a.env, Stderr: unfiltered(a.err)}
	if a.asks() {
		v.Ask = a.askHidden
	}
	return v, nil
}

// askHidden puts a question and reads one line without showing it.
func (a *app) askHidden(question string) (string, error) {
	fmt.Fprint(a.err, question+" (it does not show): ")
	defer fmt.Fprintln(a.err)
	if f, ok := a.in.(*os.File); ok {
		b, err := term.ReadPassword(f.Fd())
		return string(b), err
	}
	line, err := bufio.NewReader(a.in).ReadString('\n')
	return strings.TrimRight(line, "\r\n"), err
}

func ownKeys() (names []string) {
	for _, n := range vault.Names() {
		names = append(names, string(n))
	}
	return names
}

// keyName reads which key is meant. A word that is none is not shown: it may be
// the key itself.
func keyName(s string) (vault.Name, error) {
	for _, n := range vault.Names() {
		if s == string(n) {
			return n, nil
		}
	}
	return "", usage(errors.New("name one of the keys: " + strings.Join(ownKeys(), ", ")))
}

// keptKey is a key by where it is, and of a signing key its address.
type keptKey struct {
	Key     vault.Name    `json:"key"`
	Source  vault.Source  `json:"source,omitempty" doc:"absent if there is no such key"`
	Where   string        `json:"where,omitempty"`
	Behind  []vault.Place `json:"behind,omitempty" doc:"places that hold one as well and are not asked"`
	Address string        `json:"address,omitempty"`
}

func keySet(a *app) *cobra.Command {
	var fresh bool
	return a.verb(verb{use: "set KEY", short: "Keep a key on this machine: model or signing", args: keyArgument, offline: true, offer: ownKeys,
		long: `Keep a key on this machine: model, that of your language model's provider, or
signing, an Ed25519 key that proves your wallet address. It is typed without
being shown, or read from standard input, and never taken from the command line.

It goes into the keyring of the system, or, where none answers, into a file that
a passphrase encrypts. NETCTL_KEY_STORE=file or keyring chooses one of the two;
NETCTL_KEY_PASSPHRASE_CMD names a command that prints the passphrase.
` + keyHelp,
		flags: func(f *pflag.FlagSet) {
			f.BoolVar(&fresh, "new", false, "make a new signing key instead of reading one")
		},
		run: func(c *call) error { return c.setKey(fresh) }})
}

// keyArgument takes the name of a key, and says why it takes nothing else.
func keyArgument(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usage(errors.New("this takes the name of one key, " + strings.Join(ownKeys(), " or ") + "; the key itself is typed or read from standard input, since command lines are kept"))
	}
	return nil
}

func (c *call) setKey(fresh bool) error {
	name, err := keyName(c.args[0])
	if err != nil {
		return err
	}
	keys, err := c.keys()
	if err != nil {
		return err
	}
	secret, err := c.givenKey(name, fresh)
	if err != nil {
		return err
	}
	at, err := keys.Set(c.ctx, name, secret)
	if err != nil {
		return err
	}
	if at.Source == vault.FileKept {
		c.talk("no keyring of this machine was used: the key is in a file that the passphrase encrypts, and goes before one that a keyring may still hold")
	}
	return c.show(c.keyAt(keys, name, false))
}

// givenKey makes a key, asks for it, or reads it from standard input.
func (c *call) givenKey(name vault.Name, fresh bool) (vault.Secret, error) {
	if fresh && name != vault.Signing {
		return vault.Secret{}, usage(errors.New("--new makes a signing key; a model's key comes from its provider"))
	}
	if fresh {
		secret, _, err := vault.NewSigning(rand.Reader)
		return secret, err
	}
	if c.asks() && name == vault.Model {
		text, err := c.askHidden(string(name) + " key")
		return vault.NewSecret(text), err
	}
	b, err := io.ReadAll(io.LimitReader(c.in, maxText))
	return vault.NewSecret(string(b)), err
}

// keyAt says where a key is. To read it as well may ask for the passphrase.
func (c *call) keyAt(keys *vault.Vault, name vault.Name, read bool) (keptKey, error) {
	at := keptKey{Key: name}
	found, err := keys.Status(c.ctx, name)
	if err != nil || len(found) == 0 {
		return at, err
	}
	at.Source, at.Where, at.Behind = found[0].Source, found[0].Where, found[1:]
	if !read {
		return at, nil
	}
	secret, _, err := keys.Get(c.ctx, name)
	if err == nil && name == vault.Signing {
		var key ed25519.PrivateKey
		if key, err = secret.SigningKey(); err == nil {
			at.Address = didkey.Of(key.Public().(ed25519.PublicKey))
		}
	}
	return at, err
}

func keyStatus(a *app) *cobra.Command {
	var command string
	var read bool
	return a.verb(verb{use: "status [KEY]", short: "Say where your keys come from, without showing them", args: cobra.MaximumNArgs(1), offline: true, offer: ownKeys,
		long: "Say where your keys come from, without showing them.\n" + keyHelp,
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&command, "key-cmd", "", "command that prints the key, to be asked before the environment and all others; it needs KEY")
			f.BoolVar(&read, "read", false, "read the keys too: it shows a wrong passphrase, a command that fails, and the address of the signing key")
		},
		run: func(c *call) error { return c.keyStatus(command, read) }})
}

func (c *call) keyStatus(command string, read bool) error {
	names := vault.Names()
	if command != "" && len(c.args) == 0 {
		return usage(errors.New("--key-cmd prints one key: name it"))
	}
	if len(c.args) == 1 {
		name, err := keyName(c.args[0])
		if err != nil {
			return err
		}
		names = []vault.Name{name}
	}
	keys, err := c.keys()
	if err != nil {
		return err
	}
	keys.KeyCmd = command
	var rows []keptKey
	for _, name := range names {
		at, err := c.keyAt(keys, name, read)
		if err != nil {
			return err
		}
		rows = append(rows, at)
	}
	return rowsOut(c, rows,
		column[keptKey]{"KEY", func(k keptKey) string { return string(k.Key) }},
		column[keptKey]{"FROM", func(k keptKey) string { return orNothing(string(k.Source)) }},
		column[keptKey]{"WHERE", func(k keptKey) string { return k.Where }},
		column[keptKey]{"ADDRESS", func(k keptKey) string { return k.Address }})
}

// orNothing shows a source, or how to get one.
func orNothing(source string) string {
	if source == "" {
		return "nowhere: netctl key set"
	}
	return source
}

func keyRm(a *app) *cobra.Command {
	return a.verb(verb{use: "rm KEY", short: "Forget a key that netctl key set kept", args: keyArgument, offline: true, offer: ownKeys, run: func(c *call) error {
		name, err := keyName(c.args[0])
		if err != nil {
			return err
		}
		if err := c.confirm("Forget the %s key for good", name); err != nil {
			return err
		}
		keys, err := c.keys()
		if err != nil {
			return err
		}
		gone, err := keys.Remove(c.ctx, name)
		for _, at := range gone {
			c.talk("removed from the %s, %s", at.Source, at.Where)
		}
		return err
	}})
}
