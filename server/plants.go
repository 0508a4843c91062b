package server

import (
	_ "embed"
	"net/http"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// The plant store is an interface of its own beside the network: its own
// document, and errors of the form {error, message}.

//go:embed plants_openapi.json
var plantsDocument []byte

// plantError is the Error of the plant store.
type plantError struct {
	Error   int32  `json:"error"`
	Message string `json:"message"`
}

// plantCodes turns codes of the network into numbers of the plant store; the
// document lists what they mean.
var plantCodes = map[string]int32{
	"json_malformed": 1001, "body_missing": 1001, "body_unreadable": 1001,
	"field_missing": 1002, "text_missing": 1002,
	"type_wrong": 1003, "value_wrong": 1003, "text_too_long": 1003, "text_control": 1003, "text_not_utf8": 1003,
	"field_unknown": 1004, "field_repeated": 1004,
	"plant_exists":    1005,
	"body_too_large":  1006,
	"media_type":      1007,
	"key_like_secret": 1008,
	"key_malformed":   1009, "key_reused": 1009,
}

// plantStatusCodes are for what has no code of its own.
var plantStatusCodes = map[int]int32{401: 1401, 403: 1403, 405: 1405, 429: 1429, 500: 1500, 503: 1503}

// plantStatus is 400 for whatever is wrong with a plant, as the interface
// says; what HTTP itself refuses keeps its status.
func plantStatus(status int) int {
	if status == 409 || status == 422 || status == 404 {
		return http.StatusBadRequest
	}
	return status
}

func plantErrorOf(p netkit.Problem) plantError {
	code, ok := plantCodes[p.Code]
	if !ok {
		if code, ok = plantStatusCodes[p.Status]; !ok {
			code = 1010
		}
	}
	switch { // the network's operations are not in the document of the store
	case p.Status == http.StatusUnauthorized:
		p.Next = "send Authorization: Bearer TOKEN with a token that the operator of the store gave you"
	case p.Advice != "":
		p.Next = ""
	}
	parts := []string{p.Detail, p.Next}
	if p.Next == "" {
		parts = parts[:1]
	}
	return plantError{code, strings.Join(parts, "; ")}
}

// plantRoutes are in no document of the network.
func (s *Server) plantRoutes() []route {
	return []route{
		plain(catalog.CreatePlant, s.createPlant, nil),
		plain(catalog.GetPlantsOpenAPI, func(w http.ResponseWriter, _ *http.Request, _ *request) {
			serveDocument(w, plantsDocument)
		}, nil),
	}
}

// createPlant adds a plant to the store.
func (s *Server) createPlant(w http.ResponseWriter, r *http.Request, v *request) {
	var in newPlant
	if err := v.read(&in); err != nil {
		s.refuse(w, r, err)
		return
	}
	plant, err := v.as().CreatePlant(r.Context(), netkit.CreatePlant{ID: int64(in.ID), Name: in.Name, Tag: in.Tag})
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, "application/json", plant)
}

// serveDocument writes an OpenAPI document. It is public and changes with the
// program alone.
func serveDocument(w http.ResponseWriter, doc []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/openapi+json")
	h.Set("Cache-Control", "public, max-age=300")
	_, _ = w.Write(doc)
}
