package postgres

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Settings are those of a server that decide where an acknowledged entry is.
type Settings struct {
	Version   int    // 150004 is 15.4
	Fsync     bool   // a commit waits for the disk
	FullPages bool   // a page that a power cut tore is repaired
	Checksums bool   // a flipped bit in a page is found
	Standby   bool   // the server follows another and takes no writes
	Commit    string // synchronous_commit
	Names     string // synchronous_standby_names
}

func readSettings(ctx context.Context, c *pgx.Conn) (s Settings, err error) {
	err = c.QueryRow(ctx, `SELECT current_setting('server_version_num')::int, current_setting('fsync')::bool,
		current_setting('full_page_writes')::bool, current_setting('data_checksums')::bool, pg_is_in_recovery(),
		current_setting('synchronous_commit'), current_setting('synchronous_standby_names')`).
		Scan(&s.Version, &s.Fsync, &s.FullPages, &s.Checksums, &s.Standby, &s.Commit, &s.Names)
	if err != nil {
		return s, fmt.Errorf("journal: reading the settings of the server: %w", err)
	}
	return s, nil
}

// check refuses a server that cannot keep a journal.
func (s *Settings) check(acceptLoss bool) error {
	switch {
	case s.Version < 150000:
		return fmt.Errorf("journal: the server is PostgreSQL %d; version 15 or later is needed", s.Version/10000)
	case s.Standby:
		return errors.New("journal: the server is a standby that takes no writes; add target_session_attrs=read-write and the other hosts to the address")
	case acceptLoss:
		return nil
	case !s.Fsync:
		return errors.New("journal: the server has fsync=off: a power cut loses acknowledged entries; set fsync=on, or accept the loss")
	case s.Commit == "off":
		return errors.New("journal: the server has synchronous_commit=off: a crash loses acknowledged entries; set it to on, or accept the loss")
	}
	return nil
}

// Acknowledged names the places of an entry when it is acknowledged.
func (s *Settings) Acknowledged() string {
	standbys := s.standbys()
	switch {
	case !s.Fsync || s.Commit == "off":
		return "in the memory of 1 server"
	case standbys == 0 || s.Commit == "local":
		return "synced on 1 server"
	case s.Commit == "remote_write":
		return fmt.Sprintf("synced on 1 server, and in the memory of %d more", standbys)
	}
	return fmt.Sprintf("synced on %d servers", standbys+1)
}

// waits reports whether a commit waits for another server.
func (s *Settings) waits() bool { return s.standbys() > 0 && s.Commit != "local" && s.Commit != "off" }

// counted is the form of synchronous_standby_names that begins with a number.
var counted = regexp.MustCompile(`(?i)^\s*(?:(?:FIRST|ANY)\s+)?(\d+)\s*\(`)

// standbys is how many standbys a commit waits for. A list without a number waits
// for one.
func (s *Settings) standbys() int {
	if strings.TrimSpace(s.Names) == "" {
		return 0
	}
	if m := counted.FindStringSubmatch(s.Names); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			return n
		}
	}
	return 1
}
