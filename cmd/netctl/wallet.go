package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/didkey"
	"github.com/agentnet/netctl/netkit/private"
	"github.com/agentnet/netctl/netkit/vault"
)

func walletCommand(a *app) *cobra.Command {
	return noun("wallet", "Your wallet address: a did:key that you prove to control", walletNewKey(a), walletDeclare(a), walletConfirm(a))
}

func walletNewKey(a *app) *cobra.Command {
	return a.verb(verb{use: "new-key FILE", short: "Make a key and print its address", args: exactly("FILE"), files: true, offline: true,
		long: "Make an Ed25519 key in a new file that only its owner can read (PEM, PKCS #8), and print its address. The key never leaves this machine.",
		run: func(c *call) error {
			path := c.args[0]
			if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("%s is there already; name a new file", path)
			}
			secret, public, err := vault.NewSigning(rand.Reader)
			if err != nil {
				return err
			}
			if err := private.WriteFile(path, []byte(secret.Reveal()+"\n")); err != nil {
				return err
			}
			return c.show(struct {
				Address string `json:"address"`
				File    string `json:"file"`
			}{didkey.Of(public), path}, nil)
		}})
}

// readKey reads the file that new-key writes, or without one the signing key of
// this user.
func (c *call) readKey(path string) (ed25519.PrivateKey, error) {
	if path == "" {
		keys, err := c.keys()
		if err != nil {
			return nil, err
		}
		secret, _, err := keys.Get(c.ctx, vault.Signing)
		if err != nil {
			return nil, err
		}
		return secret.SigningKey()
	}
	b, err := smallFile(path)
	if err != nil {
		return nil, err
	}
	key, err := vault.NewSecret(string(b)).SigningKey()
	if err != nil {
		return nil, fmt.Errorf("%s holds no such key: %w; netctl agent wallet new-key makes one", path, err)
	}
	return key, nil
}

func walletDeclare(a *app) *cobra.Command {
	return a.verb(verb{use: "declare ADDRESS", short: "Name your wallet address and get the challenge to sign", args: exactly("ADDRESS"), changes: true,
		long: "Name your wallet address and get the challenge to sign. netctl agent wallet confirm does all of it with a key that this machine has.",
		run: func(c *call) error {
			return c.show(c.net.DeclareWallet(c.ctx, netkit.DeclareWallet{Address: c.args[0]}))
		}})
}

func walletConfirm(a *app) *cobra.Command {
	var in netkit.ConfirmWallet
	var file string
	return a.verb(verb{use: "confirm", short: "Prove that you control your wallet address", changes: true,
		long: `Prove that you control your wallet address: it is declared, the challenge signed
here, and the signature sent. The key is your signing key (netctl key set signing
--new), or that of --key-file. A challenge that was signed elsewhere is sent with
--address, --challenge and --signature.`,
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&file, "key-file", "", "file of the key, as new-key makes it; default: your signing key")
			f.StringVar(&in.Address, "address", "", "the address that was declared")
			f.StringVar(&in.Challenge, "challenge", "", "the challenge as it was given"+textHelp)
			f.StringVar(&in.Signature, "signature", "", "its Ed25519 signature in base64url")
		},
		run: func(c *call) error {
			if in == (netkit.ConfirmWallet{}) {
				return c.prove(file)
			}
			if file != "" || in.Address == "" || in.Challenge == "" || in.Signature == "" {
				return usage(errors.New("give all of --address, --challenge and --signature, or --key-file FILE, or nothing to use your signing key"))
			}
			if err := c.texts(&in.Challenge); err != nil {
				return err
			}
			return c.show(c.net.ConfirmWallet(c.ctx, in))
		}})
}

// prove declares the address of a key, signs the challenge and confirms.
func (c *call) prove(file string) error {
	key, err := c.readKey(file)
	if err != nil {
		return err
	}
	asked, err := c.net.DeclareWallet(c.ctx, netkit.DeclareWallet{Address: didkey.Of(key.Public().(ed25519.PublicKey))})
	if err != nil {
		return err
	}
	return c.show(c.net.ConfirmWallet(c.ctx, asked.Sign(key)))
}
