package cluster

import (
	"context"
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/raft"

	"github.com/agentnet/netctl/netkit/replica"
	"github.com/agentnet/netctl/netkit/timespan"
)

// maxVoters is how many nodes vote at most. More would have every append wait for more
// disks, and survive no likelier loss.
const maxVoters = 5

// isFork reports an error about a folder with other entries than the cluster.
func isFork(err error) bool { return errors.Is(err, replica.ErrFork) }

// admission asks the leader to make a node a member.
type admission struct {
	Secret   string `json:"secret,omitempty"` // of a token; none where a member asks
	Name     string `json:"name"`
	Address  string `json:"address"`
	Follower bool   `json:"follower"`
	Key      []byte `json:"key"` // the public key of the node
	// Have are the hashes of the shared files that the folder has already, by name.
	Have map[string]string `json:"have,omitempty"`
}

// hashFiles returns the hashes of files.
func hashFiles(files map[string][]byte) map[string]string {
	hashes := map[string]string{}
	for name, text := range files {
		hashes[name] = hashSecret(string(text))
	}
	return hashes
}

// admitted is the answer to an admission.
type admitted struct {
	Member      member `json:"member"`
	Authority   []byte `json:"authority"`
	Key         []byte `json:"authority_key"`
	Certificate []byte `json:"certificate"`
	// Shared are the files of Config.Shared, by name.
	Shared map[string][]byte `json:"shared,omitempty"`
}

func hashSecret(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

func (n *Node) leaderInvite(_ context.Context, _ string, body []byte) (any, error) {
	var in invite
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	in.Now = time.Now().Unix()
	in.Expires += in.Now
	return n.member.Address, n.applyControl(&control{Invite: &in})
}

// forwardJoin passes the call of a node that is no member to the leader.
func (n *Node) forwardJoin(ctx context.Context, from string, body []byte) (any, error) {
	if n.raft.State() != raft.Leader {
		var out admitted
		if from != "" { // a member passed it on already
			return nil, errNotLeader
		}
		err := n.askLeader(ctx, callJoin, body, &out)
		return out, err
	}
	var in admission
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	if err := checkPlace(in.Name, in.Address); err != nil {
		return nil, err
	}
	if err := n.checkFree(&in); err != nil {
		return nil, err
	}
	if err := n.applyControl(&control{Spend: &spend{Hash: hashSecret(in.Secret), Now: time.Now().Unix()}}); err != nil {
		return nil, err
	}
	return n.admitNode(&in)
}

// checkFree refuses a name or an address that a member has.
func (n *Node) checkFree(in *admission) error {
	for _, s := range n.servers() {
		if nameOf(s.ID) == in.Name {
			return fmt.Errorf("cluster: %s is a member already; remove it first with netctl cluster leave, or choose another name", in.Name)
		}
		if string(s.Address) == in.Address {
			return fmt.Errorf("cluster: the address %s is that of %s; remove that one first with netctl cluster leave", in.Address, nameOf(s.ID))
		}
	}
	return n.checkShared(in)
}

// checkShared refuses the folder of another network.
func (n *Node) checkShared(in *admission) error {
	shared, err := n.shared()
	if err != nil {
		return err
	}
	ours := hashFiles(shared)
	for name, hash := range in.Have {
		if ours[name] != hash {
			return fmt.Errorf("cluster: %s in the folder of %s is another one than that of this cluster, so the folder is of another network; join with another folder", name, in.Name)
		}
	}
	return nil
}

// admitNode makes a node a member without a vote, and certifies its key.
func (n *Node) admitNode(in *admission) (any, error) {
	public, err := x509.ParsePKIXPublicKey(in.Key)
	if err != nil {
		return nil, fmt.Errorf("cluster: the public key of %s: %w", in.Name, err)
	}
	out := admitted{Member: member{Cluster: n.member.Cluster, ID: in.Name + "-" + drawHex(4), Address: in.Address, Follower: in.Follower}, Authority: n.keys.ca.Raw}
	for _, s := range n.servers() {
		out.Member.Peers = append(out.Member.Peers, string(s.Address))
	}
	if out.Certificate, err = n.keys.certify(&out.Member, public); err != nil {
		return nil, err
	}
	if out.Key, err = x509.MarshalPKCS8PrivateKey(n.keys.caKey); err != nil {
		return nil, err
	}
	if out.Shared, err = n.shared(); err != nil {
		return nil, err
	}
	f := n.raft.AddNonvoter(raft.ServerID(out.Member.ID), raft.ServerAddress(in.Address), 0, callTime)
	return out, notLeading(f.Error())
}

// leaderReplace makes a member, which lost its log, a new one in its own place: the
// votes that it forgot are those of the old one.
func (n *Node) leaderReplace(_ context.Context, from string, body []byte) (any, error) {
	var in admission
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	if in.Name != nameOf(raft.ServerID(from)) || !n.isMember(from) {
		return nil, fmt.Errorf("cluster: %s is no member", from)
	}
	if err := n.raft.RemoveServer(raft.ServerID(from), 0, callTime).Error(); err != nil {
		return nil, notLeading(err)
	}
	return n.admitNode(&in)
}

// seekVote makes a node that has caught up a voter.
func (n *Node) seekVote(ctx context.Context) {
	for !n.member.Follower && timespan.Wait(ctx, n.timing.Election/5) {
		for _, s := range n.servers() {
			if string(s.ID) != n.member.ID {
				continue
			}
			if s.Suffrage == raft.Voter {
				return
			}
			if commit := n.raft.CommitIndex(); commit > 0 && n.raft.AppliedIndex() >= commit {
				_ = n.askLeader(ctx, callPromote, nil, nil) // tried again
			}
		}
	}
}

func (n *Node) leaderPromote(_ context.Context, from string, _ []byte) (any, error) {
	voters := 0
	var who *raft.Server
	for _, s := range n.servers() {
		if string(s.ID) == from {
			who = &s
		} else if s.Suffrage == raft.Voter {
			voters++
		}
	}
	switch {
	case who == nil:
		return nil, fmt.Errorf("cluster: %s is no member", from)
	case voters >= maxVoters:
		return nil, fmt.Errorf("cluster: %d nodes vote already, and more are not allowed", voters)
	}
	return nil, notLeading(n.raft.AddVoter(who.ID, who.Address, 0, callTime).Error())
}

// findMember returns the member of a name.
func (n *Node) findMember(name string) (*raft.Server, error) {
	for _, s := range n.servers() {
		if nameOf(s.ID) == name || string(s.ID) == name {
			return &s, nil
		}
	}
	return nil, fmt.Errorf("cluster: no member has the name %q", name)
}

func (n *Node) leaderRemove(_ context.Context, _ string, name []byte) (any, error) {
	s, err := n.findMember(string(name))
	if err != nil {
		return nil, err
	}
	return nil, notLeading(n.raft.RemoveServer(s.ID, 0, callTime).Error())
}

func (n *Node) leaderTransfer(_ context.Context, _ string, name []byte) (any, error) {
	if len(name) == 0 {
		return nil, n.raft.LeadershipTransfer().Error()
	}
	s, err := n.findMember(string(name))
	if err != nil {
		return nil, err
	}
	if s.Suffrage != raft.Voter {
		return nil, fmt.Errorf("cluster: %s has no vote and cannot lead", name)
	}
	if string(s.ID) == n.member.ID {
		return nil, nil
	}
	return nil, n.raft.LeadershipTransferToServer(s.ID, s.Address).Error()
}

// publicKey returns the form of a key in an admission.
func publicKey(k *ecdsa.PrivateKey) ([]byte, error) { return x509.MarshalPKIXPublicKey(k.Public()) }
