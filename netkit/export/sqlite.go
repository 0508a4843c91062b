package export

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/netkit/rules"
)

// schema of the file. Amounts are whole hundredths of a credit, so that sums
// are exact; the views show credits.
const schema = `
CREATE TABLE network (name TEXT NOT NULL, amounts TEXT NOT NULL);
CREATE TABLE entries (
	seq INTEGER PRIMARY KEY, at TEXT NOT NULL, at_ms INTEGER NOT NULL, kind TEXT NOT NULL, actor TEXT NOT NULL,
	constitution TEXT NOT NULL, fact TEXT NOT NULL, private_sha256 TEXT, public TEXT NOT NULL);
CREATE TABLE postings (
	entry INTEGER NOT NULL REFERENCES entries (seq), line INTEGER NOT NULL, account TEXT NOT NULL,
	amount INTEGER NOT NULL, balance_after INTEGER NOT NULL, entry_before INTEGER NOT NULL, PRIMARY KEY (entry, line)) WITHOUT ROWID;
CREATE VIEW balances AS SELECT account, sum(amount) / 100.0 AS credits, count(*) AS postings, max(entry) AS last_entry FROM postings GROUP BY account;
CREATE VIEW statement AS SELECT account, entry, at, kind, actor, amount / 100.0 AS credits, balance_after / 100.0 AS credits_after
	FROM postings JOIN entries ON seq = entry ORDER BY account, entry;`

// indexes are made at the end, which costs less than keeping them.
const indexes = `
CREATE INDEX postings_account ON postings (account, entry);
CREATE INDEX entries_kind ON entries (kind);
CREATE INDEX entries_actor ON entries (actor);
ANALYZE;`

// Database writes entries into a new SQLite file. The file must not exist; what
// was begun and failed is for the caller to remove.
func Database(path string, entries Entries) (n uint64, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644) // never into a file that is there
	if err != nil {
		return 0, fmt.Errorf("export: %w", err)
	}
	if err := f.Close(); err != nil {
		return 0, fmt.Errorf("export: %w", err)
	}
	db, err := sqlite3.OpenFlags(path, sqlite3.OPEN_READWRITE)
	if err != nil {
		return 0, fmt.Errorf("export: %s: %w", path, err)
	}
	d := &database{db: db}
	defer func() { err = errors.Join(err, d.close()) }()
	if err := d.open(); err != nil {
		return 0, err
	}
	return write(d, entries)
}

// database fills an SQLite file.
type database struct {
	db             *sqlite3.Conn
	entry, posting *sqlite3.Stmt
}

// open makes the schema. Nothing need be durable before the end: a file that
// was not finished is not used.
func (d *database) open() (err error) {
	if err := d.db.Exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;` + schema); err != nil {
		return err
	}
	if d.entry, _, err = d.db.Prepare(`INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`); err != nil {
		return err
	}
	d.posting, _, err = d.db.Prepare(`INSERT INTO postings VALUES (?, ?, ?, ?, ?, ?)`)
	return err
}

func (d *database) begin(network string) error {
	s, _, err := d.db.Prepare(`INSERT INTO network VALUES (?, 'hundredths of a credit')`)
	if err != nil {
		return err
	}
	return errors.Join(s.BindText(1, network), s.Exec(), s.Close())
}

func (d *database) add(e entry) error {
	var parts struct{ Fact json.RawMessage }
	if err := json.Unmarshal(e.public, &parts); err != nil {
		return err
	}
	s := d.entry
	err := errors.Join(s.BindInt64(1, int64(e.Seq)), s.BindText(2, e.At.String()), s.BindInt64(3, int64(e.At)), s.BindText(4, string(e.Kind)),
		s.BindText(5, e.Actor), s.BindText(6, e.Constitution), s.BindText(7, string(parts.Fact)), bindHash(s, 8, e.Private), s.BindText(9, string(e.public)))
	if err = errors.Join(err, s.Exec()); err != nil {
		return err
	}
	for i := range e.Postings {
		if err := d.post(e.Seq, i, &e.Postings[i]); err != nil {
			return err
		}
	}
	return nil
}

func (d *database) post(seq uint64, line int, p *rules.Posting) error {
	s := d.posting
	return errors.Join(s.BindInt64(1, int64(seq)), s.BindInt(2, line), s.BindText(3, p.Account.String()),
		s.BindInt64(4, int64(p.Amount)), s.BindInt64(5, int64(p.After)), s.BindInt64(6, int64(p.Prev)), s.Exec())
}

// bindHash leaves out the hash of a private part that there never was.
func bindHash(s *sqlite3.Stmt, at int, h [32]byte) error {
	if h == ([32]byte{}) {
		return s.BindNull(at)
	}
	return s.BindText(at, hex.EncodeToString(h[:]))
}

func (d *database) end() error { return d.db.Exec(indexes + "COMMIT;") }

func (d *database) close() error {
	var err error
	for _, s := range []*sqlite3.Stmt{d.entry, d.posting} {
		if s != nil {
			err = errors.Join(err, s.Close())
		}
	}
	return errors.Join(err, d.db.Close())
}
