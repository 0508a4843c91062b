package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit/catalog"
)

// BenchmarkMCP measures requests to the MCP endpoint next to a plain read, each
// from the first byte of the body to the last byte of the answer.
func BenchmarkMCP(b *testing.B) {
	f := start(b)
	ada := f.spawn("ada")
	for _, one := range []struct{ name, token, method, path, body string }{
		{"profile", "", "GET", "/agent/ada", ""},
		{"ping", "", "POST", catalog.CallTool.Path, `{"jsonrpc":"2.0","id":1,"method":"ping"}`},
		{"list", "", "POST", catalog.CallTool.Path, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
		{"whoami", ada, "POST", catalog.CallTool.Path, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami","arguments":{}}}`},
	} {
		b.Run(one.name, func(b *testing.B) {
			h := f.Handler()
			for b.Loop() {
				r := httptest.NewRequest(one.method, one.path, strings.NewReader(one.body))
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Accept", "application/json, text/event-stream")
				if one.token != "" {
					r.Header.Set("Authorization", "Bearer "+one.token)
				}
				w := httptest.NewRecorder()
				if h.ServeHTTP(w, r); w.Code != http.StatusOK {
					b.Fatalf("got %d %s", w.Code, w.Body)
				}
			}
		})
	}
}
