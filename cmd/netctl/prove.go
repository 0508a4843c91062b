package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/proof"
)

func ledgerProve(a *app) *cobra.Command {
	var out string
	return a.verb(verb{use: "prove ENTRY", short: "Get the proof that an entry is in the journal", args: exactly("ENTRY"),
		long: `Get one small file that holds an entry, the proof that it is in the journal, and
the signed checkpoint of that (c2sp.org/tlog-proof). Whoever has the network's
public key checks it with netctl ledger verify FILE, without a network.`,
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&out, "out", "", "file to write, such as receipt.tlog-proof; default: standard output")
		},
		run: func(c *call) error {
			seq, err := id(c.args[0])
			if err != nil {
				return err
			}
			file, err := c.net.Proof(c.ctx, seq)
			if err != nil {
				return err
			}
			if err := c.checkProof(file, seq); err != nil {
				return err
			}
			return c.signedOut(out, file)
		}})
}

// checkProof finds out before a proof is kept whether it will hold.
func (c *call) checkProof(file []byte, seq uint64) error {
	p, err := c.networkPolicy()
	if err != nil {
		return err
	}
	got, err := proof.Verify(p, file)
	if err == nil && got.Seq != seq {
		err = fmt.Errorf("the network answers with the proof of entry %d", got.Seq)
	}
	return err
}

func agentCredential(a *app) *cobra.Command {
	var out string
	return a.verb(verb{use: "credential AGENT", short: "Get what the network computed of an agent, signed", args: exactly("AGENT"),
		long: `Get an agent's tier, scores and badges as a text that the network has signed, to
be shown elsewhere. It names the size and the root of the journal that it was
computed from, so that anybody can compute it again. Whoever has the network's
public key checks it with netctl ledger verify FILE.`,
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&out, "out", "", "file to write; default: standard output")
		},
		run: func(c *call) error {
			text, err := c.net.Credential(c.ctx, c.args[0])
			if err != nil {
				return err
			}
			p, err := c.networkPolicy()
			if err != nil {
				return err
			}
			if _, err := proof.OpenCredential(p, text); err != nil {
				return err
			}
			return c.signedOut(out, text)
		}})
}

// networkPolicy is what the network says that its signatures need.
func (c *call) networkPolicy() (*proof.Policy, error) {
	info, err := c.net.LogInfo(c.ctx)
	if err != nil {
		return nil, err
	}
	return proof.NewPolicy(info.Key, info.Witnesses, info.Quorum)
}

// signedOut writes a signed text to a file, or to standard output.
func (c *call) signedOut(path string, text []byte) error {
	if path == "" {
		_, err := c.out.Write(text)
		return err
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return err
	}
	c.talk("wrote %s, %d bytes", path, len(text))
	return nil
}

// trust is what a person who verifies a file trusts: the flags of it.
type trust struct {
	key       string
	witnesses words
	quorum    int
	given     *pflag.FlagSet
}

func (t *trust) flags(f *pflag.FlagSet) {
	t.given = f
	f.StringVar(&t.key, "key", "", "public key of the network, or a file with it such as log.pub; default: the key in the folder for a proof; the key seen before, or named by entry 0, for a whole network")
	f.Var(&t.witnesses, "witness", "public key of a witness, or a file with it; may be given more than once")
	f.IntVar(&t.quorum, "quorum", 0, "how many of the witnesses must have cosigned; default: all of them")
}

// policy makes of the flags what signatures must satisfy.
func (t *trust) policy(c *call) (*proof.Policy, error) {
	key, err := t.networkKey(c)
	if err != nil {
		return nil, err
	}
	if err := t.readWitnesses(); err != nil {
		return nil, err
	}
	p, err := proof.NewPolicy(key, t.witnesses, t.quorum)
	if err != nil {
		return nil, usage(err)
	}
	return p, nil
}

// readWitnesses reads the keys that stand in files, and settles the quorum.
func (t *trust) readWitnesses() (err error) {
	for i := range t.witnesses {
		if t.witnesses[i], err = keyText(t.witnesses[i]); err != nil {
			return err
		}
	}
	if !t.given.Changed("quorum") {
		t.quorum = len(t.witnesses)
	}
	return nil
}

// networkKey is the key that was given, else that of the folder.
func (t *trust) networkKey(c *call) (string, error) {
	if t.key != "" {
		return keyText(t.key)
	}
	at, err := c.target()
	if err != nil {
		return "", err
	}
	path := filepath.Join(at.data, "log.pub")
	if _, err := os.Stat(path); at.data == "" || err != nil {
		return "", usage(errors.New("give the network's public key with --key; the network tells it at " + catalog.GetLogKey.Route() + ", and whoever trusts nobody asks several people for it, once"))
	}
	return keyText(path)
}

// keyText reads a public key from the command line: itself, or a file with it.
func keyText(s string) (string, error) {
	b, err := smallFile(s)
	if errors.Is(err, fs.ErrNotExist) && strings.Contains(s, "+") {
		return s, nil
	}
	return strings.TrimSpace(string(b)), err
}

// verified is what a file was found to prove.
type verified struct {
	Entry      *uint64         `json:"entry,omitempty" doc:"sequence number"`
	Agent      string          `json:"agent,omitempty" doc:"of a credential"`
	Log        string          `json:"log"`
	Size       uint64          `json:"size" doc:"entries in the tree that was signed"`
	Root       netkit.Hash     `json:"root" doc:"of that tree"`
	Cosigned   []string        `json:"cosigned_by,omitempty" doc:"witnesses that were asked for"`
	Public     json.RawMessage `json:"public,omitempty" doc:"the entry's public part"`
	Credential json.RawMessage `json:"credential,omitempty" doc:"what the network computed of the agent"`
}

// verifiedCard is an agent card that the network has signed.
type verifiedCard struct {
	Log  string          `json:"log"`
	Card json.RawMessage `json:"card" doc:"without its signatures; what is marked as claimed was not checked"`
}

// verifyFile checks a proof, a credential or an agent card offline.
func (t *trust) verifyFile(c *call, path string) error {
	p, err := t.policy(c)
	if err != nil {
		return err
	}
	file, err := smallFile(path)
	if err != nil {
		return err
	}
	var v any
	credential, card := bytes.HasPrefix(file, []byte(proof.CredentialTitle)), bytes.HasPrefix(bytes.TrimSpace(file), []byte("{"))
	if (credential || card) && t.quorum > 0 {
		return usage(fmt.Errorf("%s is a credential or card, which the network alone signs; leave --witness out", path))
	}
	switch {
	case credential:
		v, err = verifyCredential(p, file)
	case card:
		v, err = verifyCard(p, file)
	default:
		v, err = verifyProof(p, file)
	}
	if err != nil {
		return fmt.Errorf("%s proves nothing: %w%s", path, err, advised(err))
	}
	return c.show(v, nil)
}

func verifyCard(p *proof.Policy, file []byte) (verifiedCard, error) {
	card, err := proof.OpenCard(p, file)
	return verifiedCard{p.Origin(), card}, err
}

func verifyProof(p *proof.Policy, file []byte) (verified, error) {
	got, err := proof.Verify(p, file)
	c := got.Checkpoint
	return verified{Entry: &got.Seq, Log: c.Origin, Size: uint64(c.N), Root: netkit.Hash(c.Hash), Cosigned: c.Cosigned, Public: got.Entry}, err
}

func verifyCredential(p *proof.Policy, file []byte) (verified, error) {
	c, err := proof.OpenCredential(p, file)
	return verified{Agent: c.Agent, Log: c.Origin, Size: c.Size, Root: netkit.Hash(c.Root), Credential: c.About}, err
}

// advised says what to do about a file that proves nothing.
func advised(err error) string {
	for _, a := range []struct {
		err  error
		next string
	}{
		{proof.ErrFormat, "get it again with netctl ledger prove, it may have been cut off"},
		{proof.ErrKey, "see that --key is the key of the network that it came from"},
		{proof.ErrOrigin, "see that --key is the key of the network that it came from"},
		{proof.ErrQuorum, "get a newer proof, or require fewer witnesses with --quorum"},
		{proof.ErrSignature, "the file was changed after it was signed: do not rely on it"},
		{proof.ErrInclusion, "the file was changed, or the network never had this entry: do not rely on it"},
	} {
		if errors.Is(err, a.err) {
			return "; " + a.next
		}
	}
	return ""
}
