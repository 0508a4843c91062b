package proof

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/agentnet/netctl/netkit/journal"
)

// CredentialTitle begins the text of each credential. Its second line is never a number, so
// that no credential can be taken for a checkpoint, which the same key signs.
const CredentialTitle = "agent network credential v1"

// Credential is what a network says of an agent, and from where it can be
// computed again: the first Size entries of the log, whose root is Root.
type Credential struct {
	Origin string
	Agent  string
	Size   uint64
	Root   tlog.Hash
	About  []byte // one line of JSON: what the network computed of the agent
}

// String returns the text that is signed.
func (c Credential) String() string {
	return fmt.Sprintf("%s\nlog %s\nagent %s\nsize %d\nroot %s\nabout %s\n", CredentialTitle, c.Origin, c.Agent, c.Size, c.Root, c.About)
}

// Credential signs what the first size entries of the log say of an agent.
func (l *Log) Credential(ctx context.Context, agent string, size uint64, about []byte) ([]byte, error) {
	have, err := l.store.Head(ctx)
	if err != nil {
		return nil, err
	}
	if size == 0 || size > have.Size {
		return nil, fmt.Errorf("%w: %d entries", ErrNotFound, size)
	}
	root, err := tlog.TreeHash(int64(size), journal.HashReader(ctx, l.store, size))
	if err != nil {
		return nil, err
	}
	c := Credential{Origin: l.signer.Name(), Agent: agent, Size: size, Root: root, About: about}
	if _, err := parseCredential(c.String()); err != nil {
		return nil, err
	}
	return note.Sign(&note.Note{Text: c.String()}, l.signer)
}

// OpenCredential verifies a credential with the log's key of a policy; witnesses
// sign none. That the log really says so is found out by computing it again from
// the first Size entries.
func OpenCredential(p *Policy, text []byte) (Credential, error) {
	n, err := note.Open(text, note.VerifierList(p.log))
	if err != nil {
		return Credential{}, p.explain(text, err)
	}
	c, err := parseCredential(n.Text)
	if err == nil && c.Origin != p.Origin() {
		err = fmt.Errorf("%w: it is of %q, not of %q", ErrOrigin, c.Origin, p.Origin())
	}
	return c, err
}

// parseCredential reads the text of a credential. There is one text for each.
func parseCredential(text string) (c Credential, err error) {
	wrong := fmt.Errorf("%w: this is not a credential", ErrFormat)
	rest, ok := strings.CutPrefix(text, CredentialTitle+"\n")
	var fields []string
	for _, name := range []string{"log ", "agent ", "size ", "root ", "about "} {
		line, more, _ := strings.Cut(rest, "\n")
		value, is := strings.CutPrefix(line, name)
		ok = ok && is
		fields, rest = append(fields, value), more
	}
	if !ok {
		return c, wrong
	}
	c.Origin, c.Agent, c.About = fields[0], fields[1], []byte(fields[4])
	if c.Size, err = strconv.ParseUint(fields[2], 10, 63); err != nil {
		return c, wrong
	}
	if c.Root, err = tlog.ParseHash(fields[3]); err != nil || c.String() != text {
		return c, wrong
	}
	return c, nil
}
