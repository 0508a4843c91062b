package hooks

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/webhook"
)

// row is what is kept of a webhook beside the journal. The address and the secrets are
// not: the network has them, and forgets them when they are erased.
type row struct {
	Entry uint64 `json:"entry"` // that set the address
	Off   bool   `json:"off,omitempty"`
	// An earlier release kept the secrets here; they go into the journal at the start.
	Secret string      `json:"secret,omitempty"`
	Former []oldFormer `json:"formers,omitempty"` // oldest first

	Due   bool   `json:"due,omitempty"`   // something before the front may still be sent
	Next  uint64 `json:"next"`            // entry from which events are still to be sent
	After string `json:"after,omitempty"` // type of its event that was sent last

	Skipped uint64 `json:"skipped,omitempty"` // the last entry that could not be read

	Delivered bool          `json:"delivered,omitempty"` // an event, to the address as it is set
	QuickLeft int           `json:"wary,omitempty"`      // quick deliveries before the receiver counts as prompt
	Timeouts  int           `json:"timeouts,omitempty"`  // attempts in a row that were not answered in time
	Tries     int           `json:"tries,omitempty"`     // at the event at hand
	FirstAt   netkit.Millis `json:"first_at,omitempty"`
	FailingAt netkit.Millis `json:"failing_at,omitempty"` // since when nothing was delivered
	RetryAt   netkit.Millis `json:"retry_at,omitempty"`
	GaveUp    bool          `json:"gave_up,omitempty"` // on the event before
}

// oldFormer is a secret that was replaced, in the form of the file.
type oldFormer struct {
	Secret string        `json:"secret"`
	Until  netkit.Millis `json:"until"`
}

// formers returns the former secrets of the file.
func (r *row) formers() (all []network.FormerSecret) {
	for _, f := range r.Former {
		all = append(all, network.FormerSecret{Secret: f.Secret, Until: int64(f.Until)})
	}
	return all
}

// keptAttempts is how many attempts the log keeps of one owner.
const keptAttempts = 100

// The columns named agent hold the slugs of owners, sponsors too.
const schema = `
CREATE TABLE IF NOT EXISTS front(one INTEGER PRIMARY KEY CHECK(one = 0), entry INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS noted(one INTEGER PRIMARY KEY CHECK(one = 0), entry INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS network(one INTEGER PRIMARY KEY CHECK(one = 0), id TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS hooks(agent TEXT PRIMARY KEY, row TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS attempts(id INTEGER PRIMARY KEY AUTOINCREMENT, agent TEXT NOT NULL, attempt TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS attempts_of ON attempts(agent, id);`

// store is the file of webhooks, or memory. It is used by one goroutine at a
// time. Events whose delivery a power cut makes it forget are sent again.
type store struct{ conn *sqlite3.Conn }

// openStore opens a file that its owner alone can read; "" is memory.
func openStore(path string) (*store, error) {
	if path == "" {
		path = ":memory:"
	} else {
		var err error
		if path, err = filepath.Abs(path); err != nil {
			return nil, err
		}
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return nil, err
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
	c, err := sqlite3.OpenFlags(engineName(path), sqlite3.OPEN_READWRITE|sqlite3.OPEN_CREATE|sqlite3.OPEN_URI)
	if err != nil {
		return nil, fmt.Errorf("hooks: %s cannot be opened: %w", path, err)
	}
	err = c.Exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
		PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -2048;` + schema)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("hooks: %s is not a file of webhooks: %w; remove it, and events are sent from then on", path, err), c.Close())
	}
	return &store{c}, nil
}

// engineName is how the engine is told of the file. What it writes beside it
// gets the mode of the file.
func engineName(path string) string {
	if path == ":memory:" {
		return path
	}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive letter
	}
	mode := strings.ReplaceAll(url.Values{"modeof": {path}}.Encode(), "+", "%20") // SQLite knows no +
	u := url.URL{Scheme: "file", Path: slashed, RawQuery: mode}
	return u.String()
}

func (s *store) close() error { return s.conn.Close() }

// run runs a statement with its arguments, calling each for every row.
func (s *store) run(sql string, args []any, each func(*sqlite3.Stmt) error) error {
	stmt, _, err := s.conn.Prepare(sql)
	if err != nil {
		return err
	}
	defer stmt.Close()
	for i, arg := range args {
		switch v := arg.(type) {
		case string:
			err = errors.Join(err, stmt.BindText(i+1, v))
		case uint64:
			err = errors.Join(err, stmt.BindInt64(i+1, int64(v)))
		}
	}
	for err == nil && stmt.Step() {
		if each != nil {
			err = each(stmt)
		}
	}
	return errors.Join(err, stmt.Err())
}

// together makes changes as one, and on the disk at once where they must be.
func (s *store) together(durable bool, change func() error) (err error) {
	if durable {
		if err := s.conn.Exec(`PRAGMA synchronous = FULL`); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.conn.Exec(`PRAGMA synchronous = NORMAL`)) }()
	}
	if err := s.conn.Exec(`BEGIN IMMEDIATE`); err != nil {
		return err
	}
	if err := change(); err != nil {
		return errors.Join(err, s.conn.Exec(`ROLLBACK`))
	}
	return s.conn.Exec(`COMMIT`)
}

// bind notes whose webhooks the file holds, once, and reports whether they are those
// of a network. An earlier release did not note it.
func (s *store) bind(network string) (own bool, err error) {
	err = s.run(`INSERT INTO network VALUES(0, ?) ON CONFLICT(one) DO NOTHING`, []any{network}, nil)
	if err != nil {
		return false, err
	}
	err = s.run(`SELECT id FROM network`, nil, func(q *sqlite3.Stmt) error { own = q.ColumnText(0) == network; return nil })
	return own, err
}

// kept is what a file has but for the log of attempts.
type kept struct {
	front uint64 // the entries before it were handed out
	noted uint64 // entry with the latest positions that the rows are not behind
	rows  map[string]row
}

// load reads everything but the log.
func (s *store) load() (k kept, err error) {
	k.rows = map[string]row{}
	err = errors.Join(
		s.run(`SELECT entry FROM front`, nil, func(q *sqlite3.Stmt) error { k.front = uint64(q.ColumnInt64(0)); return nil }),
		s.run(`SELECT entry FROM noted`, nil, func(q *sqlite3.Stmt) error { k.noted = uint64(q.ColumnInt64(0)); return nil }))
	if err != nil {
		return k, err
	}
	err = s.run(`SELECT agent, row FROM hooks`, nil, func(q *sqlite3.Stmt) error {
		var r row
		owner := q.ColumnText(0)
		err := json.Unmarshal([]byte(q.ColumnText(1)), &r)
		k.rows[owner] = r
		return err
	})
	return k, err
}

func (s *store) put(owner string, r *row) error {
	doc, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return s.run(`INSERT INTO hooks VALUES(?, ?) ON CONFLICT(agent) DO UPDATE SET row = excluded.row`, []any{owner, string(doc)}, nil)
}

func (s *store) setFront(front, noted uint64) error {
	return errors.Join(
		s.run(`INSERT INTO front VALUES(0, ?) ON CONFLICT(one) DO UPDATE SET entry = excluded.entry`, []any{front}, nil),
		s.run(`INSERT INTO noted VALUES(0, ?) ON CONFLICT(one) DO UPDATE SET entry = excluded.entry`, []any{noted}, nil))
}

// drop removes a webhook with its log and its secret, from the log of the
// database too.
func (s *store) drop(owner string) error {
	err := s.together(true, func() error {
		return errors.Join(s.run(`DELETE FROM hooks WHERE agent = ?`, []any{owner}, nil), s.run(`DELETE FROM attempts WHERE agent = ?`, []any{owner}, nil))
	})
	return errors.Join(err, s.truncateLog())
}

// truncateLog empties the log of the database, so that removed rows are in no file.
func (s *store) truncateLog() error { return s.conn.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`) }

// add adds an attempt to the log, gives it its id and drops the oldest.
func (s *store) add(owner string, a *webhook.Attempt) error {
	doc, err := json.Marshal(a)
	if err != nil {
		return err
	}
	if err := s.run(`INSERT INTO attempts(agent, attempt) VALUES(?, ?)`, []any{owner, string(doc)}, nil); err != nil {
		return err
	}
	a.ID = uint64(s.conn.LastInsertRowID())
	return s.run(`DELETE FROM attempts WHERE agent = ?1 AND id <= (SELECT id FROM attempts WHERE agent = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
		[]any{owner, uint64(keptAttempts)}, nil)
}

// attempts lists those of an owner, newest first.
func (s *store) attempts(owner string) (all []webhook.Attempt, err error) {
	all = []webhook.Attempt{}
	err = s.run(`SELECT id, attempt FROM attempts WHERE agent = ? ORDER BY id DESC`, []any{owner}, func(q *sqlite3.Stmt) error {
		var a webhook.Attempt
		err := json.Unmarshal([]byte(q.ColumnText(1)), &a)
		a.ID = uint64(q.ColumnInt64(0))
		all = append(all, a)
		return err
	})
	return all, err
}
