package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentnet/netctl/netkit/strictjson"
)

// LineTransport carries one JSON-RPC message a line, as the protocol says of
// standard input and output. A line that holds no message is answered with an
// error, and the session continues. Closing the session closes neither stream.
type LineTransport struct {
	Reader io.Reader
	Writer io.Writer
}

// maxLine is the longest line, in bytes.
const maxLine = 4 << 20

// Connect implements sdk.Transport.
func (t *LineTransport) Connect(context.Context) (sdk.Connection, error) {
	c := &lineConn{to: t.Writer, lines: make(chan line), closed: make(chan struct{})}
	go c.readLines(bufio.NewReaderSize(t.Reader, 64<<10))
	return c, nil
}

// lineConn is a connection by lines.
type lineConn struct {
	mu sync.Mutex // of to
	to io.Writer

	lines  chan line
	closed chan struct{}
	once   sync.Once
}

// line is what was read: a line, or the error that ended the reading.
type line struct {
	text    []byte
	tooLong bool
	err     error
}

// readLines hands out lines until the input ends. It may wait for input after
// the connection was closed: no read of standard input can be interrupted.
func (c *lineConn) readLines(from *bufio.Reader) {
	for {
		l := readLine(from)
		select {
		case c.lines <- l:
		case <-c.closed:
			return
		}
		if l.err != nil {
			return
		}
	}
}

// readLine reads up to the next line break. A last line may lack it.
func readLine(from *bufio.Reader) (l line) {
	for {
		part, err := from.ReadSlice('\n')
		if l.tooLong = l.tooLong || len(l.text)+len(part) > maxLine; l.tooLong {
			l.text = nil
		} else {
			l.text = append(l.text, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == io.EOF && (len(l.text) > 0 || l.tooLong):
			return l
		}
		l.err = err
		return l
	}
}

// Read implements sdk.Connection.
func (c *lineConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case l := <-c.lines:
			if l.err != nil {
				return nil, l.err
			}
			m, fault := l.message()
			if fault == nil {
				return m, nil
			}
			if err := c.writeLine(fault.answer()); err != nil {
				return nil, err
			}
		}
	}
}

// Write implements sdk.Connection.
func (c *lineConn) Write(_ context.Context, m jsonrpc.Message) error {
	b, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	return c.writeLine(b)
}

func (c *lineConn) writeLine(b []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.to.Write(append(b, '\n'))
	return err
}

// Close implements sdk.Connection.
func (c *lineConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}

// SessionID implements sdk.Connection.
func (c *lineConn) SessionID() string { return "" }

// messageFault is why a line holds no message, as JSON-RPC says it.
type messageFault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// answer is the error for a message whose id is not known.
func (f *messageFault) answer() []byte {
	b, _ := json.Marshal(f) // a number and a text
	return slices.Concat([]byte(`{"jsonrpc":"2.0","id":null,"error":`), b, []byte("}"))
}

// message decodes the message of a line.
func (l *line) message() (jsonrpc.Message, *messageFault) {
	text := bytes.TrimSpace(l.text)
	switch {
	case l.tooLong:
		return nil, &messageFault{jsonrpc.CodeParseError, "the line is longer than " + strconv.Itoa(maxLine) + " bytes"}
	case len(text) == 0:
		return nil, &messageFault{jsonrpc.CodeParseError, "the line is empty"}
	}
	if err := CheckMessage(text); err != nil {
		return nil, &messageFault{jsonrpc.CodeParseError, err.Error()}
	}
	if text[0] == '[' {
		return nil, &messageFault{jsonrpc.CodeInvalidRequest, "a batch is not taken: send one message a line"}
	}
	m, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		return nil, &messageFault{jsonrpc.CodeInvalidRequest, "this is no JSON-RPC 2.0 message"}
	}
	return m, nil
}

// CheckMessage refuses what is not one JSON document, and a name that an object
// holds twice: of the two values, a reader before this one may have seen the
// other.
func CheckMessage(b []byte) error {
	if err := strictjson.CheckNames(b); err != nil {
		return errors.New("this is no JSON: " + err.Error())
	}
	return nil
}
