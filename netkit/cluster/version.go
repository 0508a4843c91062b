package cluster

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/agentnet/netctl/netkit/journal"
)

// version is that of the calls between nodes. A node answers calls of its own version
// only, so that none guesses the meaning of another one's.
const version = 1

// headerVersion carries the version of a call, and of the node that refuses one.
const headerVersion = "Netctl-Cluster-Version"

// ErrVersion means that two nodes run versions of the program that do not understand each
// other.
var ErrVersion = errors.New("cluster: the nodes run versions of the program that do not understand each other")

// errNewer means that the log or a snapshot holds an entry or a field that this version
// does not know. The node stops there: what follows may rest on it.
var errNewer = fmt.Errorf("%w: the cluster has agreed on an entry that this version of the program does not know; start this node with the version of the others", journal.ErrNewer)

// sameVersion reports whether a call is of this version, and refuses it otherwise.
func sameVersion(w http.ResponseWriter, r *http.Request) bool {
	if r.Header.Get(headerVersion) == strconv.Itoa(version) {
		return true
	}
	w.Header().Set(headerVersion, strconv.Itoa(version))
	http.Error(w, "the call is of another version", http.StatusUpgradeRequired)
	return false
}

// refusedVersion returns the error of an answer that refuses the version of a call, nil
// for another answer.
func refusedVersion(reply *http.Response) error {
	if reply.StatusCode != http.StatusUpgradeRequired {
		return nil
	}
	return fmt.Errorf("%w: this one has the version %d of calls between nodes, and %s the version %s; install the same release on both (netctl version)", ErrVersion, version, reply.Request.URL.Host, reply.Header.Get(headerVersion))
}

// decodeKnown decodes JSON whose fields this version knows all.
func decodeKnown(b []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%w: %w", errNewer, err)
	}
	return nil
}
