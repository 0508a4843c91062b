package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
)

// lines runs a session over lines and returns how to send one and read what
// comes back.
func lines(t *testing.T) (send func(string), next func() string) {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- New(Config{Key: []byte("key")}).Run(context.Background(), &LineTransport{Reader: in, Writer: out})
	}()
	t.Cleanup(func() {
		toServer.Close()
		if err := <-done; err != nil {
			t.Errorf("got %v, want the session to end with its input", err)
		}
	})
	answers := bufio.NewScanner(fromServer)
	return func(s string) {
			t.Helper()
			if _, err := io.WriteString(toServer, s); err != nil {
				t.Fatal(err)
			}
		}, func() string {
			t.Helper()
			if !answers.Scan() {
				t.Fatalf("got no answer: %v", answers.Err())
			}
			return answers.Text()
		}
}

// A line that is no message is answered with an error, and the session serves
// the next one.
func TestLineThatIsNoMessage(t *testing.T) {
	send, next := lines(t)
	for i, one := range []struct {
		line string
		code int
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"pi`, -32700}, {"", -32700}, {" \t\r", -32700}, {"\xff\x00", -32700}, {"ping", -32700},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"} {}`, -32700}, {strings.Repeat(" ", maxLine+1), -32700},
		{`{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`, -32700},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami","arguments":{"a":1,"\u0061":2}}}`, -32700},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, -32600}, {`[]`, -32600}, {`{}`, -32600}, {`7`, -32600}, {`{"jsonrpc":"1.0","id":1,"method":"ping"}`, -32600},
	} {
		send(one.line + "\n")
		var got struct {
			ID    *int
			Error struct {
				Code    int
				Message string
			}
		}
		text := next()
		if err := json.Unmarshal([]byte(text), &got); err != nil || got.ID != nil || !strings.Contains(text, `"id":null`) || got.Error.Code != one.code || got.Error.Message == "" {
			t.Errorf("%.60q: got %s, want error %d without an id", one.line, text, one.code)
		}
		send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`+"\r\n", i))
		if got, want := next(), fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, i); got != want {
			t.Errorf("after %.60q: got %s, want %s", one.line, got, want)
		}
	}
}

// The last line needs no line break.
func TestLastLineWithoutBreak(t *testing.T) {
	l := readLine(bufio.NewReader(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)))
	if m, fault := l.message(); m == nil || fault != nil || l.err != nil {
		t.Errorf("got %v, %v and %v, want the message", m, fault, l.err)
	}
}
