package postgres

import (
	"context"
	"net"

	"github.com/jackc/pgx/v5/pgconn"
)

// connection is a connection to the database that the end of the engine closes.
type connection struct {
	net.Conn
	forget func() bool
}

// Close implements net.Conn.
func (c *connection) Close() error {
	c.forget()
	return c.Conn.Close()
}

// dialUntilEnd returns a function that connects as dial does, and closes the connection
// when the engine ends.
func (e *Engine) dialUntilEnd(dial pgconn.DialFunc) pgconn.DialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &connection{c, context.AfterFunc(e.living, func() { _ = c.Close() })}, nil
	}
}
