package cluster

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/hashicorp/raft"

	"github.com/agentnet/netctl/netkit/journal"
)

// Init begins a cluster with one node, on a folder that may hold a journal already.
// Name is that of the node, and address the host and port where others will reach it.
// A folder that is the node of a cluster is refused.
func Init(ctx context.Context, dir string, folder journal.Store, name, address string) error {
	if err := checkNew(dir, name, address); err != nil {
		return err
	}
	m := &member{Cluster: drawHex(8), ID: name + "-" + drawHex(4), Address: address}
	k := new(keys)
	var err error
	if k.ca, k.caKey, err = newAuthority(m.Cluster); err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	certificate, err := k.certify(m, key.Public())
	if err == nil {
		err = k.use(certificate, key)
	}
	if err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	if err := beginLog(ctx, dir, folder, m); err != nil {
		return err
	}
	return storeMember(dir, m, k)
}

// checkNew refuses the folder of a node.
func checkNew(dir, name, address string) error {
	if err := checkPlace(name, address); err != nil {
		return err
	}
	if IsNode(dir) {
		return fmt.Errorf("cluster: %s is the folder of a node already; a cluster begins once", dir)
	}
	return os.MkdirAll(clusterPath(dir, ""), 0o700)
}

// newLog makes an empty log in the place of one of a beginning that was cut.
func newLog(dir string) (*raftLog, error) {
	path := clusterPath(dir, raftFile)
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("cluster: %w", err)
		}
	}
	return openRaftLog(path, true)
}

// beginLog makes the log of a cluster's first node: a snapshot of the folder, as if
// its one node had agreed on it.
func beginLog(ctx context.Context, dir string, folder journal.Store, m *member) (err error) {
	head, err := folder.Head(ctx)
	if err != nil {
		return err
	}
	tree, err := journal.OpenTree(ctx, folder, head.Size)
	if err != nil {
		return err
	}
	log, err := newLog(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	return beginWith(log, state{Head: head, Root: tree.Root()}, m)
}

func beginWith(log *raftLog, s state, m *member) error {
	servers := []raft.Server{{Suffrage: raft.Voter, ID: raft.ServerID(m.ID), Address: raft.ServerAddress(m.Address)}}
	meta := raft.SnapshotMeta{Version: raft.SnapshotVersionMax, ID: "1-1", Index: 1, Term: 1, Configuration: raft.Configuration{Servers: servers}, ConfigurationIndex: 1}
	return errors.Join(log.keepSnapshot(&meta, s.bytes()), log.SetUint64([]byte("CurrentTerm"), 1))
}

// Joining describes a node that is to join a cluster. Dir, Token, Name and Address are
// required.
type Joining struct {
	// Dir is empty or holds an earlier part of the cluster's journal.
	Dir     string
	Token   string // that a member made
	Name    string // of the node
	Address string // host and port where others will reach it
	// Follower keeps the node from voting and from leading.
	Follower bool
	// Have are files of [Config.Shared] that the folder has already, by name. Where the
	// cluster has others, the node is refused, and the token stays good.
	Have map[string][]byte
	// Keep stores the files of [Config.Shared] that a member at some address sent, before
	// the folder becomes that of a node. Nil drops them.
	Keep func(from string, files map[string][]byte) error
}

// Join makes a folder that of a new node.
func Join(ctx context.Context, j Joining) error {
	if err := checkNew(j.Dir, j.Name, j.Address); err != nil {
		return err
	}
	t, err := parseToken(j.Token)
	if err != nil {
		return err
	}
	log, err := newLog(j.Dir) // the folder can be written, before the token is spent
	if err != nil {
		return err
	}
	if err := log.Close(); err != nil {
		return err
	}
	keep := j.Keep
	if keep == nil {
		keep = keepNothing
	}
	return enterCluster(ctx, j.Dir, t.client(), t.Address, callJoin, keep, &admission{Secret: t.Secret, Name: j.Name, Address: j.Address, Follower: j.Follower, Have: hashFiles(j.Have)})
}

// keepNothing drops the files that a member sent.
func keepNothing(string, map[string][]byte) error { return nil }

// client trusts the member of a cluster whose authority a token names.
func (t token) client() *http.Client {
	verify := func(state tls.ConnectionState) error {
		chain := state.PeerCertificates
		if len(chain) != 2 {
			return errOther
		}
		sum := fingerprint(chain[1])
		if hex.EncodeToString(sum[:]) != t.Authority {
			return errOther
		}
		pool := x509.NewCertPool()
		pool.AddCert(chain[1])
		_, err := chain[0].Verify(x509.VerifyOptions{Roots: pool, DNSName: serverName(t.Cluster), KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
		return err
	}
	// The chain is checked by the fingerprint, which no system's list contains.
	return &http.Client{Timeout: time.Minute, Transport: &http.Transport{TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS13, InsecureSkipVerify: true, VerifyConnection: verify, NextProtos: []string{protocolHTTP}}}}
}

// errOther means that the node at an address is one of another cluster.
var errOther = errors.New("cluster: the node at this address is not of the cluster that the token names")

// enterCluster asks a member for admission and makes the folder that of a node.
func enterCluster(ctx context.Context, dir string, client *http.Client, at, call string, keep func(string, map[string][]byte) error, in *admission) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err == nil {
		in.Key, err = publicKey(key)
	}
	if err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	out, err := requestAdmission(ctx, client, at, call, in)
	if err != nil {
		return err
	}
	k := new(keys)
	if k.ca, err = x509.ParseCertificate(out.Authority); err == nil {
		if k.caKey, err = parseKey(out.Key); err == nil {
			err = k.use(out.Certificate, key)
		}
	}
	if err != nil {
		return fmt.Errorf("cluster: the answer of %s: %w", at, err)
	}
	if err := keep(at, out.Shared); err != nil {
		return err
	}
	log, err := newLog(dir)
	if err != nil {
		return err
	}
	if err := log.Close(); err != nil {
		return err
	}
	return storeMember(dir, &out.Member, k)
}

func requestAdmission(ctx context.Context, client *http.Client, at, call string, in *admission) (*admitted, error) {
	body, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://"+at+"/"+call, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set(headerVersion, strconv.Itoa(version))
	reply, err := client.Do(r)
	if err != nil {
		return nil, fmt.Errorf("cluster: asking %s for admission: %w", at, err)
	}
	defer reply.Body.Close()
	if err := refusedVersion(reply); err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(reply.Body, maxReply))
	if err != nil {
		return nil, fmt.Errorf("cluster: asking %s for admission: %w", at, err)
	}
	if reply.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("cluster: %s refused: %s", at, bytes.TrimSpace(b))
	}
	out := new(admitted)
	return out, decodeAnswer(b, out)
}
