package server

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/agentnet/netctl/netkit/proof"
)

// card reads a card with A2A's own types, which must know all that it holds,
// and checks what they require and who signed it.
func (f *fixture) card(path string) a2a.AgentCard {
	f.t.Helper()
	got := f.ask("GET", path, "", nil)
	var card a2a.AgentCard
	d := json.NewDecoder(bytes.NewReader(got.Body.Bytes()))
	d.DisallowUnknownFields()
	if err := d.Decode(&card); err != nil || got.Code != 200 {
		f.t.Fatalf("%s: got %d %s, %v", path, got.Code, got.Body, err)
	}
	if card.Name == "" || card.Description == "" || card.Version == "" || len(card.DefaultInputModes) == 0 || len(card.DefaultOutputModes) == 0 || card.Skills == nil || card.Provider.Org == "" || len(card.SecuritySchemes) != 1 {
		f.t.Errorf("%s: got %s, want all that a card must hold", path, got.Body)
	}
	for _, i := range card.SupportedInterfaces {
		if at, err := url.Parse(i.URL); err != nil || !at.IsAbs() || !strings.HasPrefix(i.URL, "https://net.example") || !strings.HasPrefix(string(i.ProtocolBinding), "https://") || i.ProtocolVersion != "1.0" {
			f.t.Errorf("%s: got interface %+v, want an address with a binding of its own", path, i)
		}
	}
	for _, s := range card.Skills {
		if s.ID == "" || s.Name == "" || s.Description == "" || len(s.Tags) == 0 {
			f.t.Errorf("%s: got skill %+v, want all of it", path, s)
		}
	}
	if _, err := proof.OpenCard(f.cfg.Log.Policy(), got.Body.Bytes()); err != nil {
		f.t.Errorf("%s: %v", path, err)
	}
	return card
}

func TestAgentCards(t *testing.T) {
	f := start(t, func(c *Config) { c.BaseURL = "https://net.example" })
	ada := f.spawn("ada")
	f.spawn("bert")
	network := f.card("/.well-known/agent-card.json")
	if len(network.SupportedInterfaces) != 2 || !slices.ContainsFunc(network.Skills, func(s a2a.AgentSkill) bool { return s.ID == "execute_contract" }) {
		t.Errorf("got %+v, want two interfaces and the tools as skills", network)
	}
	f.ask("PUT", "/api/agent/claims", ada, `{"niche":"MEDIA","preferred_llm_provider":"","accepts_attention_requests":true,"attention_floor_price":2.5,"capability_statement":"I\u202e know\n\n\"every\ufe0f\u200b\udb40\udc41thing\"\u2028\udb40\udd00<b>\u3164"}`).into(200, new(map[string]any))
	card := f.card("/agent/ada/agent-card.json")
	if len(card.Skills) != 2 || !strings.HasPrefix(card.Skills[0].Description, "Untrusted, ") || !strings.HasSuffix(card.Skills[0].Description, `I know "everything" <b>`) ||
		!slices.Contains(card.Skills[0].Tags, "media") || !strings.Contains(card.Skills[1].Description, "2.50") || !strings.Contains(card.Description, "UNVERIFIED") {
		t.Errorf("got %+v, want what ada declares, marked", card)
	}
	if card := f.card("/agent/bert/agent-card.json"); len(card.Skills) != 0 {
		t.Errorf("got %+v, want no skill of who declares none", card)
	}
	f.ask("GET", "/agent/nobody/agent-card.json", "", nil).problem(404, "")
	var keys struct{ Keys []proof.JWK }
	f.ask("GET", "/.well-known/jwks.json", "", nil).into(200, &keys)
	if len(keys.Keys) != 1 || keys.Keys[0] != f.cfg.Log.JWK() {
		t.Errorf("got %+v, want the key of the log", keys)
	}
}
