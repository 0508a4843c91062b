package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/private"
)

// job is one thing that the agent has decided to send.
type job struct {
	Execute *netkit.Execute          `json:"execute,omitempty"`
	Answer  *netkit.AnswerAttention  `json:"answer,omitempty"`
	Decline *netkit.DeclineAttention `json:"decline,omitempty"`
}

// outbox is a folder with a file for each job that was begun, named like its
// idempotency key: a job that was sent before a crash is sent again with the
// same key and the same words, and so is done once.
type outbox string

func (o outbox) path(key string) string { return filepath.Join(string(o), key+".job") }

func (o outbox) has(key string) bool {
	_, err := os.Stat(o.path(key))
	return err == nil
}

func (o outbox) keep(key string, j job) error {
	b, err := json.Marshal(j)
	if err != nil {
		return err
	}
	return private.WriteFile(o.path(key), b)
}

func (o outbox) drop(key string) error { return private.Remove(o.path(key)) }

// each does something with every job that is left.
func (o outbox) each(do func(key string, j job) error) error {
	files, err := os.ReadDir(string(o))
	for _, f := range files {
		key, is := strings.CutSuffix(f.Name(), ".job")
		if !is {
			continue
		}
		var j job
		b, err := os.ReadFile(o.path(key))
		if err == nil {
			err = json.Unmarshal(b, &j)
		}
		if err != nil {
			return fmt.Errorf("%s cannot be read: %w", o.path(key), err)
		}
		if err := do(key, j); err != nil {
			return err
		}
	}
	return err
}
