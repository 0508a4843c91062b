package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/host"
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
			public, private, err := ed25519.GenerateKey(rand.Reader)
			if err != nil {
				return err
			}
			der, err := x509.MarshalPKCS8PrivateKey(private)
			if err != nil {
				return err
			}
			if err := host.WritePrivate(path, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})); err != nil {
				return err
			}
			return c.show(struct {
				Address string `json:"address"`
				File    string `json:"file"`
			}{netkit.DIDKey(public), path}, nil)
		}})
}

// readKey reads the file that new-key writes.
func readKey(path string) (ed25519.PrivateKey, error) {
	b, err := smallFile(path)
	if err != nil {
		return nil, err
	}
	wrong := fmt.Errorf("%s holds no Ed25519 key in PEM (PKCS #8); netctl agent wallet new-key makes one", path)
	block, _ := pem.Decode(b)
	if block == nil {
		return nil, wrong
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, wrong
	}
	private, ok := key.(ed25519.PrivateKey)
	if !ok {
		return nil, wrong
	}
	return private, nil
}

func walletDeclare(a *app) *cobra.Command {
	return a.verb(verb{use: "declare ADDRESS", short: "Name your wallet address and get the challenge to sign", args: exactly("ADDRESS"), changes: true,
		long: "Name your wallet address and get the challenge to sign. With a key file, netctl agent wallet confirm --key-file FILE does all of it.",
		run: func(c *call) error {
			return c.show(c.net.DeclareWallet(c.ctx, netkit.DeclareWallet{Address: c.args[0]}))
		}})
}

func walletConfirm(a *app) *cobra.Command {
	var in netkit.ConfirmWallet
	var file string
	return a.verb(verb{use: "confirm", short: "Prove that you control your wallet address", changes: true,
		long: `Prove that you control your wallet address: with --key-file it is declared, the
challenge signed here, and the signature sent. A challenge that was signed
elsewhere is sent with --address, --challenge and --signature.`,
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&file, "key-file", "", "file of the key, as new-key makes it")
			f.StringVar(&in.Address, "address", "", "the address that was declared")
			f.StringVar(&in.Challenge, "challenge", "", "the challenge as it was given"+textHelp)
			f.StringVar(&in.Signature, "signature", "", "its Ed25519 signature in base64url")
		},
		run: func(c *call) error {
			if file != "" {
				return c.prove(file)
			}
			if in.Address == "" || in.Challenge == "" || in.Signature == "" {
				return usage(errors.New("give --key-file FILE, or --address, --challenge and --signature"))
			}
			if err := c.texts(&in.Challenge); err != nil {
				return err
			}
			return c.show(c.net.ConfirmWallet(c.ctx, in))
		}})
}

// prove declares the address of a key, signs the challenge and confirms.
func (c *call) prove(file string) error {
	key, err := readKey(file)
	if err != nil {
		return err
	}
	address := netkit.DIDKey(key.Public().(ed25519.PublicKey))
	asked, err := c.net.DeclareWallet(c.ctx, netkit.DeclareWallet{Address: address})
	if err != nil {
		return err
	}
	return c.show(c.net.ConfirmWallet(c.ctx, netkit.ConfirmWallet{Address: address, Challenge: asked.Challenge, Signature: netkit.SignChallenge(key, asked.Challenge)}))
}
