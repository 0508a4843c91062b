package postgres

import (
	"net"
	"time"

	"github.com/jackc/pgx/v5"
)

// silence is how long the machine of a database may leave packets unanswered until the
// system of this node ends the connection. A machine that runs answers them at once, also
// while a commit waits, so that this cuts no append of a slow database.
const silence = 5 * time.Second

// endSilentConnections has connections end whose other side is gone, as after the loss of
// its machine or behind a partition: the system would try for a quarter of an hour.
func endSilentConnections(c *pgx.ConnConfig) {
	d := net.Dialer{Control: limitSilence, KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: silence / 5, Interval: silence / 5, Count: 4}}
	c.DialFunc = d.DialContext
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = silence
	}
}
