package cluster

import (
	"context"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"time"
)

// orders are the calls with which operators change a cluster. The leader carries them
// out.
type orders struct {
	member    *member
	authority *x509.Certificate // nil in a simulation
	ask       func(ctx context.Context, name string, body []byte, result any) error
}

// Invite returns a token by which one node may join within a time.
func (o *orders) Invite(ctx context.Context, within time.Duration) (string, error) {
	secret := drawHex(16)
	var at string // the address of the leader, which runs
	body, err := json.Marshal(invite{Hash: hashSecret(secret), Expires: int64(within / time.Second)})
	if err == nil {
		err = o.ask(ctx, callInvite, body, &at)
	}
	if err != nil {
		return "", err
	}
	sum := fingerprint(o.authority)
	return token{Address: at, Cluster: o.member.Cluster, Authority: hex.EncodeToString(sum[:]), Secret: secret}.String(), nil
}

// Remove ends the membership of a node, itself or another one.
func (o *orders) Remove(ctx context.Context, name string) error {
	return o.ask(ctx, callRemove, []byte(name), nil)
}

// Transfer has a voter lead; an empty name leaves the choice to the leader.
func (o *orders) Transfer(ctx context.Context, name string) error {
	return o.ask(ctx, callTransfer, []byte(name), nil)
}
