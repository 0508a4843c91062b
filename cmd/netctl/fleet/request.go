package fleet

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// Send makes one attempt at a request of the API, with a token unless it is "", and
// decodes the answer into a value unless that is nil. An answer that refuses fails the
// test; a request that was cut off does not.
func (s *Server) Send(method, path, token, body string, into any) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, s.URL+path, bytes.NewBufferString(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	b, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return err // cut off: not acknowledged
	}
	if resp.StatusCode != http.StatusOK {
		s.T.Errorf("%s %s: got %d %s", method, path, resp.StatusCode, b)
		return errors.New("refused")
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(b, into)
}

// MustSend sends a request as [Server.Send] does. An error ends the test.
func (s *Server) MustSend(method, path, token, body string, into any) {
	s.T.Helper()
	if err := s.Send(method, path, token, body, into); err != nil {
		s.T.Fatal(err)
	}
}

// Health returns the health that the server states.
func (s *Server) Health() (h netkit.Health) {
	s.T.Helper()
	s.MustSend("GET", catalog.GetHealth.Path, "", "", &h)
	return h
}

// Spawn spawns an agent and returns its token.
func (s *Server) Spawn(slug string) netkit.Token {
	s.T.Helper()
	token := NewToken(s.T)
	s.MustSend("POST", catalog.SpawnAgent.Path, "", fmt.Sprintf(`{"slug":%q,"token_sha256":%q}`, slug, token.SHA256()), nil)
	return token
}

// TrySpawn asks for an agent. It returns the status of the answer, and the code of the
// problem where the server refuses.
func (s *Server) TrySpawn(slug string) (status int, code string) {
	s.T.Helper()
	body := fmt.Sprintf(`{"slug":%q,"token_sha256":%q}`, slug, NewToken(s.T).SHA256())
	resp, err := http.Post(s.URL+catalog.SpawnAgent.Path, "application/json", strings.NewReader(body))
	if err != nil {
		s.T.Fatal(err)
	}
	var p netkit.Problem
	if err := errors.Join(json.NewDecoder(resp.Body).Decode(&p), resp.Body.Close()); err != nil {
		s.T.Fatal(err)
	}
	return resp.StatusCode, p.Code
}

// NewToken returns a random token.
func NewToken(t testing.TB) netkit.Token {
	t.Helper()
	token, err := netkit.NewToken(rand.Reader)
	if err != nil {
		t.Fatal(err) // the only cause is a machine without randomness
	}
	return token
}
