package server

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
)

// readUsedInvitations reads the file in which earlier releases noted the use of
// invitations; the journal does that now. It returns the agents by the ids
// that they used and that have not expired, and how many lines it could not read: a
// crash may have cut one, but none that an agent was spawned by. Nothing writes the
// file any more, and invitations expire within 30 days. A file that was removed
// cannot be missed, since a folder in which none was used never had one.
func readUsedInvitations(path string, now int64) (used map[string]string, unread int, err error) {
	used = map[string]string{}
	f, err := os.Open(path)
	if path == "" || errors.Is(err, fs.ErrNotExist) {
		return used, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var u struct {
			ID    string `json:"id"`
			Agent string `json:"agent"` // "" gave it back
			Until int64  `json:"until"`
		}
		switch {
		case len(lines.Bytes()) == 0:
		case json.Unmarshal(lines.Bytes(), &u) != nil || u.ID == "":
			unread++
		case u.Until > now:
			used[u.ID] = u.Agent
		}
	}
	return used, unread, lines.Err()
}
