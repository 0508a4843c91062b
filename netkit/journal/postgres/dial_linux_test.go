package postgres

import (
	"net"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sys/unix"
)

// A connection to another machine ends by itself once that is silent.
func TestSilentConnectionsEnd(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	cfg, err := pgxpool.ParseConfig("postgres://net@127.0.0.1/net")
	if err != nil {
		t.Fatal(err)
	}
	configure(cfg.ConnConfig)
	if got := cfg.ConnConfig.ConnectTimeout; got != silence {
		t.Errorf("an attempt to connect: got %v, want %v", got, silence)
	}
	c, err := cfg.ConnConfig.DialFunc(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	raw, err := c.(syscall.Conn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ option, want int }{
		{unix.TCP_USER_TIMEOUT, int(silence.Milliseconds())}, {unix.TCP_KEEPIDLE, 1}, {unix.TCP_KEEPINTVL, 1}, {unix.TCP_KEEPCNT, 4},
	} {
		var got int
		failed := raw.Control(func(fd uintptr) { got, err = unix.GetsockoptInt(int(fd), unix.IPPROTO_TCP, test.option) })
		if failed != nil || err != nil || got != test.want {
			t.Errorf("option %d: got %d, %v, %v, want %d", test.option, got, failed, err, test.want)
		}
	}
}
