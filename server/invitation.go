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
// that they used and that have not expired. Nothing writes the file any more, and invitations expire
// within 30 days.
func readUsedInvitations(path string, now int64) (map[string]string, error) {
	used := map[string]string{}
	f, err := os.Open(path)
	if path == "" || errors.Is(err, fs.ErrNotExist) {
		return used, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var u struct {
			ID    string `json:"id"`
			Agent string `json:"agent"` // "" gave it back
			Until int64  `json:"until"`
		}
		if json.Unmarshal(lines.Bytes(), &u) == nil && u.Until > now { // a crash may have cut the last line
			used[u.ID] = u.Agent
		}
	}
	return used, lines.Err()
}
