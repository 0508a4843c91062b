package server

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"sync"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// invitations remember which invitation was used by which agent until it
// expires, also across restarts. Each is good for one agent; the same agent may
// repeat its spawn with it.
type invitations struct {
	mu   sync.Mutex
	path string           // of the file; "" keeps them in memory alone
	used map[string]useOf // by id
}

// useOf is a line of the file: an invitation was used, or given back where
// Agent is "".
type useOf struct {
	ID    string `json:"id"`
	Agent string `json:"agent"`
	Until int64  `json:"until"` // Unix time at which the invitation expires
}

// openInvitations reads the file, without what has expired.
func openInvitations(path string, now int64) (*invitations, error) {
	v := &invitations{path: path, used: map[string]useOf{}}
	if path == "" {
		return v, nil
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var u useOf
		if json.Unmarshal(lines.Bytes(), &u) == nil && u.Until > now { // a crash may cut the last line
			v.used[u.ID] = u
		}
	}
	return v, lines.Err()
}

// take uses an invitation for an agent, durably, before the agent is spawned.
// release gives it back when none was.
func (v *invitations) take(id, agent string, until, now int64) (release func(), err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	was := v.used[id]
	switch was.Agent {
	case agent:
		return func() {}, nil // a retry
	case "":
	default:
		return nil, &netkit.Refusal{Kind: netkit.ErrForbidden, Code: code.InvitationUsed, What: "this invitation was used by another agent",
			Next: "ask an operator of this network for another one"}
	}
	for old, u := range v.used {
		if u.Until <= now {
			delete(v.used, old)
		}
	}
	if err := v.write(useOf{id, agent, until}); err != nil {
		return nil, &netkit.Refusal{Kind: netkit.ErrUnavailable, Code: code.InvitationNotKept, What: "the use of this invitation cannot be recorded", Next: "try again later"}
	}
	return func() { v.giveBack(id, until) }, nil
}

func (v *invitations) giveBack(id string, until int64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	_ = v.write(useOf{id, "", until}) // or it stays with the agent that was refused
}

// write appends a line and notes it.
func (v *invitations) write(u useOf) error {
	if v.path != "" {
		f, err := os.OpenFile(v.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		b, err := json.Marshal(u)
		if err == nil {
			_, err = f.Write(append([]byte{'\n'}, append(b, '\n')...)) // apart from a line that was cut
		}
		if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
			return err
		}
	}
	v.used[u.ID] = u
	return nil
}
