package cluster

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// token lets a node join: the address of a member, the authority by which it is
// recognised, and a secret that is good once.
type token struct {
	Address   string `json:"a"`
	Cluster   string `json:"c"`
	Authority string `json:"f"` // fingerprint of the certificate authority
	Secret    string `json:"s"`
}

const tokenPrefix = "netctl-node-"

// String returns the text of a token.
func (t token) String() string {
	b, err := json.Marshal(t)
	if err != nil {
		panic(fmt.Sprintf("cluster: a token is JSON: %v", err))
	}
	return tokenPrefix + base64.RawURLEncoding.EncodeToString(b)
}

func parseToken(text string) (t token, err error) {
	rest, found := strings.CutPrefix(strings.TrimSpace(text), tokenPrefix)
	b, err := base64.RawURLEncoding.DecodeString(rest)
	if err == nil {
		err = json.Unmarshal(b, &t)
	}
	if !found || err != nil || t.Address == "" || t.Secret == "" {
		return t, errors.New("cluster: this is no token of netctl cluster invite, which begins with " + tokenPrefix)
	}
	return t, nil
}
