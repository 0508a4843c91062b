package server

import (
	"net/http"
	"strings"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/server/clientaddr"
)

// NodeJoinPath is where a machine that shows an invitation gets the keys of the network's
// nodes.
const NodeJoinPath = "/node/join"

var joinInTheOpen = problem(403, code.NodeUnknown, "keys leave this server by HTTPS only", "ask it at its https address, or copy the keys by hand")

// nodePaths registers the addresses for other nodes, and for machines that are to become
// nodes.
func (s *Server) nodePaths(m *mux) {
	if s.cfg.Node != nil {
		m.HandleFunc("GET "+nodeRecordingPath+"{sha}", s.sendCopy)
		m.HandleFunc("POST "+nodeRecordingPath+"{sha}", s.keepCopy)
		m.HandleFunc("GET "+NodeListPath, s.listNodes)
	}
	if s.cfg.AdmitNode != nil {
		m.HandleFunc("POST "+NodeJoinPath, s.joinNode)
	}
}

// joinNode gives the keys of the network to a machine that shows an invitation.
func (s *Server) joinNode(w http.ResponseWriter, r *http.Request) {
	err := s.rates().address.allow(w.Header(), address(r))
	if err == nil && r.TLS == nil && !clientaddr.Loopback(r.RemoteAddr) && !strings.HasPrefix(s.cfg.BaseURL, "https://") {
		err = joinInTheOpen
	}
	token := ""
	if err == nil {
		token, err = bearer(r)
	}
	var keys map[string][]byte
	if err == nil {
		keys, err = s.cfg.AdmitNode(token, s.now())
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	s.log.Warn("node", "keys", "a machine that showed an invitation got the keys of the network", "address", address(r))
	writeJSON(w, http.StatusOK, "application/json", keys)
}
