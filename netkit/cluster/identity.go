package cluster

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/hashicorp/raft"

	"github.com/agentnet/netctl/netkit/private"
)

// member is the identity of a node, in cluster/member.json.
type member struct {
	Cluster string `json:"cluster"` // drawn when the cluster began
	ID      string `json:"id"`      // name, a dash, and digits drawn when the node joined
	Address string `json:"address"` // host and port where the other nodes reach it
	// Peers are addresses that were known when the node joined.
	Peers []string `json:"peers,omitempty"`
	// Follower keeps the node from voting and from leading.
	Follower bool `json:"follower,omitempty"`
}

// keys are the certificate authority of a cluster and the certificate of a node.
type keys struct {
	ca    *x509.Certificate
	caKey *ecdsa.PrivateKey
	node  tls.Certificate
}

// The files below the folder of a node.
const (
	folderName = "cluster"
	memberFile = "member.json"
	keysFile   = "keys.pem"
	raftFile   = "raft.db"
)

func clusterPath(dir, file string) string { return filepath.Join(dir, folderName, file) }

// validity is how long certificates are good. A cluster's authority signs nothing but
// its nodes, so that an end would only stop the cluster on some day.
const validity = 100 * 365 * 24 * time.Hour

var nodeName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$`)

// checkPlace checks the name and the address of a node.
func checkPlace(name, address string) error {
	return errors.Join(CheckName(name), CheckAddress(address))
}

// CheckName checks the name of a node.
func CheckName(name string) error {
	if !nodeName.MatchString(name) {
		return fmt.Errorf("cluster: the name %q of the node is not 1 to 32 small letters, digits and dashes", name)
	}
	return nil
}

// CheckAddress checks the host and the port where other nodes reach one.
func CheckAddress(address string) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil || host == "" {
		return fmt.Errorf("cluster: the address %q is not a host and a port, as in 10.0.0.1:7700", address)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n >= 32768 {
		return fmt.Errorf("cluster: the port of %s is not between 1 and 32767; above, the system gives ports to outgoing connections, and the node could lose its own in a restart", address)
	}
	return nil
}

func drawHex(n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// newAuthority makes the certificate authority of a cluster.
func newAuthority(cluster string) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	ca := template("cluster " + cluster)
	ca.IsCA, ca.BasicConstraintsValid, ca.KeyUsage, ca.ExtKeyUsage = true, true, x509.KeyUsageCertSign, nil
	der, err := x509.CreateCertificate(rand.Reader, ca, ca, key.Public(), key)
	if err != nil {
		return nil, nil, err
	}
	ca, err = x509.ParseCertificate(der)
	return ca, key, err
}

func template(name string) *x509.Certificate {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		panic(err)
	}
	now := time.Now()
	return &x509.Certificate{SerialNumber: serial, Subject: pkix.Name{CommonName: name}, NotBefore: now.Add(-24 * time.Hour), NotAfter: now.Add(validity),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth}}
}

// certify signs the key of a node.
func (k *keys) certify(m *member, public crypto.PublicKey) ([]byte, error) {
	t := template(m.ID)
	t.DNSNames = []string{serverName(m.Cluster)}
	return x509.CreateCertificate(rand.Reader, t, k.ca, public, k.caKey)
}

// serverName is the name that every node of a cluster has in its certificate.
func serverName(cluster string) string { return cluster + ".cluster.invalid" }

// fingerprint identifies an authority in a token.
func fingerprint(ca *x509.Certificate) [sha256.Size]byte { return sha256.Sum256(ca.Raw) }

// storeMember writes the files of a node, the member last, since a node is there once it has
// that file.
func storeMember(dir string, m *member, k *keys) error {
	if k != nil {
		b, err := k.encode()
		if err == nil {
			err = private.WriteFile(clusterPath(dir, keysFile), b)
		}
		if err != nil {
			return fmt.Errorf("cluster: %w", err)
		}
	}
	b, err := json.MarshalIndent(m, "", "  ")
	if err == nil {
		err = private.WriteFile(clusterPath(dir, memberFile), append(b, '\n'))
	}
	if err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	return nil
}

// loadMember reads the files of a node.
func loadMember(dir string) (*member, *keys, error) {
	b, err := os.ReadFile(clusterPath(dir, memberFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("%w: %s is not the folder of a node; begin a cluster or join one first", ErrNoMember, dir)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("cluster: %w", err)
	}
	m := new(member)
	if err := json.Unmarshal(b, m); err != nil || m.Cluster == "" || m.ID == "" {
		return nil, nil, fmt.Errorf("%w: %s", ErrDamaged, clusterPath(dir, memberFile))
	}
	if b, err = os.ReadFile(clusterPath(dir, keysFile)); err != nil {
		return nil, nil, fmt.Errorf("cluster: %w", err)
	}
	k, err := decodeKeys(b)
	if err == nil && k.node.Leaf.Subject.CommonName != m.ID {
		err = fmt.Errorf("its certificate is that of %s", k.node.Leaf.Subject.CommonName)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %s: %w", ErrDamaged, clusterPath(dir, keysFile), err)
	}
	return m, k, nil
}

// IsNode reports whether a folder is that of a node.
func IsNode(dir string) bool {
	_, err := os.Stat(clusterPath(dir, memberFile))
	return err == nil
}

// Own describes the node of a folder.
type Own struct {
	Name, Address string
	Follower      bool
}

// ReadMember returns the node of a folder, and [ErrNoMember] for another folder.
func ReadMember(dir string) (Own, error) {
	m, _, err := loadMember(dir)
	if err != nil {
		return Own{}, err
	}
	return Own{nameOf(raft.ServerID(m.ID)), m.Address, m.Follower}, nil
}

// ErrNoMember means that a folder is not that of a node of a cluster.
var ErrNoMember = errors.New("cluster: no member")

// encode returns the two certificates and the two keys.
func (k *keys) encode() ([]byte, error) {
	caKey, err := x509.MarshalPKCS8PrivateKey(k.caKey)
	if err != nil {
		return nil, err
	}
	nodeKey, err := x509.MarshalPKCS8PrivateKey(k.node.PrivateKey)
	if err != nil {
		return nil, err
	}
	var out []byte
	for _, b := range []pem.Block{{Type: "CERTIFICATE", Bytes: k.ca.Raw}, {Type: "PRIVATE KEY", Bytes: caKey}, {Type: "CERTIFICATE", Bytes: k.node.Certificate[0]}, {Type: "PRIVATE KEY", Bytes: nodeKey}} {
		out = append(out, pem.EncodeToMemory(&b)...)
	}
	return out, nil
}

func decodeKeys(b []byte) (*keys, error) {
	var der [4][]byte
	for i := range der {
		var block *pem.Block
		if block, b = pem.Decode(b); block == nil {
			return nil, errors.New("a part is missing")
		}
		der[i] = block.Bytes
	}
	ca, err := x509.ParseCertificate(der[0])
	if err != nil {
		return nil, err
	}
	k := &keys{ca: ca}
	if k.caKey, err = parseKey(der[1]); err != nil {
		return nil, err
	}
	key, err := parseKey(der[3])
	if err != nil {
		return nil, err
	}
	return k, k.use(der[2], key)
}

// use makes a certificate that of the node, if the authority signed it for its key.
func (k *keys) use(certificate []byte, key *ecdsa.PrivateKey) error {
	leaf, err := x509.ParseCertificate(certificate)
	if err == nil {
		err = leaf.CheckSignatureFrom(k.ca)
	}
	if err == nil && !key.PublicKey.Equal(leaf.PublicKey) {
		err = errors.New("the certificate is of another key")
	}
	k.node = tls.Certificate{Certificate: [][]byte{certificate, k.ca.Raw}, PrivateKey: key, Leaf: leaf}
	return err
}

func parseKey(der []byte) (*ecdsa.PrivateKey, error) {
	key, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, err
	}
	if key, ok := key.(*ecdsa.PrivateKey); ok {
		return key, nil
	}
	return nil, errors.New("a key is of another kind")
}
