package host

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/private"
	"github.com/agentnet/netctl/netkit/proof"
	"github.com/agentnet/netctl/server"
)

// NodeInviteFor is how long an invitation of a node holds.
const NodeInviteFor = time.Hour

// invitePath is the file of an invitation. It holds the time at which it ends, and
// not the token.
func invitePath(dir string, token netkit.Token) string {
	return filepath.Join(dir, "node-invite-"+token.SHA256().String())
}

// InviteNode returns a token with which another machine gets the keys that the nodes of
// a network share, once and within [NodeInviteFor], from the server on this folder.
func InviteNode(dir string, now time.Time) (netkit.Token, error) {
	n, err := readNode(dir)
	if err == nil && n.Node == "" {
		err = fmt.Errorf("%w: %s is the folder of no node; start it with netctl serve --journal first", ErrNode, dir)
	}
	if err != nil {
		return netkit.Token{}, err
	}
	token, err := netkit.NewToken(rand.Reader)
	if err != nil {
		return token, err
	}
	return token, private.WriteFile(invitePath(dir, token), []byte(now.Add(NodeInviteFor).UTC().Format(time.RFC3339)))
}

// admitNode is server.Config.AdmitNode: it uses an invitation up, and returns the keys.
func (h *Host) admitNode(text string, now time.Time) (map[string][]byte, error) {
	refused := &netkit.Refusal{Kind: netkit.ErrUnauthenticated, Code: code.TokenUnknown, What: "this server made no such invitation, or it was used or is older than an hour", Next: "make another with netctl node invite on the machine of this server"}
	token, err := netkit.ParseToken(text)
	if err != nil {
		return nil, refused
	}
	path := invitePath(h.dir, token)
	end, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, refused
	}
	if err == nil {
		err = os.Remove(path) // one of two that come at once fails here
	}
	if err == nil {
		err = private.SyncFolder(h.dir)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, refused
	}
	if err != nil {
		return nil, err
	}
	if until, err := time.Parse(time.RFC3339, string(end)); err != nil || now.After(until) {
		return nil, refused
	}
	return NodeKeys(h.dir)
}

// NodeKeys reads the files of a folder that all nodes of its network share, by name.
func NodeKeys(dir string) (map[string][]byte, error) {
	keys := map[string][]byte{}
	for _, name := range nodeKeys {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, fmt.Errorf("host: the key that all nodes share: %w", err)
		}
		keys[name] = text
	}
	return keys, nil
}

// PresentNodeKeys reads those files of a folder that all nodes of a network share, by name.
func PresentNodeKeys(dir string) (map[string][]byte, error) {
	keys := map[string][]byte{}
	for _, name := range nodeKeys {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("host: the key that all nodes share: %w", err)
		}
		keys[name] = text
	}
	return keys, nil
}

// JoinNode fetches the keys of a network from a running node, and keeps them in a folder
// that holds no network. The address has to be HTTPS, or of this machine.
func JoinNode(ctx context.Context, dir, address, token string) error {
	at, err := joinURL(address)
	if err != nil {
		return err
	}
	if found, err := remains(dir); err != nil || len(found) > 0 || Present(dir) {
		return errors.Join(err, fmt.Errorf("%w: %s is not empty: it holds %s; join with another folder", ErrNode, dir, strings.Join(append(found, nodeFile), ", ")))
	}
	keys, err := fetchKeys(ctx, at, token)
	if err != nil {
		return err
	}
	return KeepNodeKeys(dir, at, keys)
}

// KeepNodeKeys keeps the keys that a node at some address sent in a folder, which then
// can be that of a node of the same network.
func KeepNodeKeys(dir, at string, keys map[string][]byte) error {
	if _, err := proof.PublicKey(strings.TrimSpace(string(keys["log.key"]))); err != nil {
		return fmt.Errorf("host: %s sent no key of a log: %w", at, err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, name := range nodeKeys {
		if len(keys[name]) == 0 {
			return fmt.Errorf("host: %s did not send %s", at, name)
		}
		path := filepath.Join(dir, name)
		if have, err := os.ReadFile(path); err == nil && !bytes.Equal(have, keys[name]) {
			return fmt.Errorf("%w: %s is another key than that of the network at %s, so the folder is of another network; join with another folder", ErrNode, path, at)
		}
		if err := private.WriteFile(path, keys[name]); err != nil {
			return err
		}
	}
	return nil
}

func joinURL(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "", fmt.Errorf("%w: %q is not the address of a node, such as https://node1.example.org", ErrNode, address)
	}
	ip, err := netip.ParseAddr(u.Hostname())
	if u.Scheme != "https" && !(u.Scheme == "http" && (err == nil && ip.IsLoopback() || u.Hostname() == "localhost")) {
		return "", fmt.Errorf("%w: keys travel by HTTPS only, and %s is none; give an https address, or copy %s to this folder by hand", ErrNode, address, strings.Join(nodeKeys, " and "))
	}
	return strings.TrimSuffix(address, "/") + server.NodeJoinPath, nil
}

// maxKeys bounds what a node answers.
const maxKeys = 64 << 10

// joinClient follows no redirect, which could lead away from HTTPS.
var joinClient = &http.Client{Timeout: 30 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

func fetchKeys(ctx context.Context, at, token string) (keys map[string][]byte, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, at, bytes.NewReader(nil))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	resp, err := joinClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxKeys))
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		var p netkit.Problem
		if err := json.Unmarshal(text, &p); err != nil || p.Detail == "" {
			p.Detail = resp.Status
		}
		return nil, fmt.Errorf("%w: %s refuses: %s", ErrNode, at, p.Detail)
	}
	if err := json.Unmarshal(text, &keys); err != nil {
		return nil, fmt.Errorf("host: %s answers with something else than keys: %w", at, err)
	}
	return keys, nil
}
