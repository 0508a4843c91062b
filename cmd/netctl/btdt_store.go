package main

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/btdt"
)

// store returns the metadata of a playbook that a file of this machine holds, or
// an error: nothing is registered whose text lies nowhere. A file in which nothing
// was found holds the text by itself; another gets a second one beside it.
func (c *call) store(done *stripped) (netkit.RegisterPlaybook, error) {
	if done.changed && done.file.name != "-" {
		if err := done.decided.write(done.file.name); err != nil {
			return netkit.RegisterPlaybook{}, err
		}
	}
	var err error
	if done.path, err = c.storePath(done); err != nil {
		return netkit.RegisterPlaybook{}, err
	}
	in := done.metadata()
	if err := holdsPlaybook(done.path, in.ContentSHA256); err != nil {
		return netkit.RegisterPlaybook{}, err
	}
	return in, nil
}

// storePath returns the file that is to hold a playbook, and writes it if there is
// none.
func (c *call) storePath(done *stripped) (string, error) {
	name := done.file.name
	switch {
	case name == "-":
		return c.storeByHash(done.book, done.decided)
	case done.raw.SHA256() == done.book.SHA256():
		return name, nil
	case strings.HasSuffix(name, scrubbedEnd):
		return "", append(personal(done.file, done.found), fault{File: name, Line: 1, Column: 1,
			What: "was stripped before and would have to change again", Do: "to keep a place, netctl btdt review " + name + " --keep TEXT; or change it, or register the original"})
	}
	return besideName(name), c.writeBeside(name, done.book)
}

// storeByHash writes a playbook that came without a file below the settings, under
// its hash, with the decisions of its author beside it, and returns where.
func (a *app) storeByHash(p btdt.Playbook, decided decisions) (string, error) {
	dir, err := a.configDir()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "playbooks")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	hash := p.SHA256()
	path := filepath.Join(dir, hex.EncodeToString(hash[:])+".json")
	doc := pretty(p)
	if have, err := os.ReadFile(path); err == nil && bytes.Equal(have, doc) {
		return path, decided.write(path)
	}
	if err := writeNew(path, doc); err != nil {
		return "", err
	}
	a.talk("wrote %s", path)
	return path, decided.write(path)
}

// holdsPlaybook returns an error unless a file holds the playbook with a hash.
func holdsPlaybook(path string, want netkit.Hash) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	book, err := btdt.Parse(data)
	if err != nil {
		return problems(path, err)
	}
	if book.SHA256() != want {
		return because(netkit.ErrConflict, "%s has changed meanwhile; nothing was sent: register it again", path)
	}
	return nil
}

// besideName is the name of what scrubbing a file writes.
func besideName(original string) string { return strings.TrimSuffix(original, ".json") + scrubbedEnd }
