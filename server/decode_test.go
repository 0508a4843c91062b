package server

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
)

func TestDecodeNamesWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		name, body  string
		into        any
		code, field string
	}{
		{"nothing", ``, new(netkit.Execute), "body_missing", ""},
		{"cut off", `{"campaign_id":1`, new(netkit.Execute), "json_malformed", ""},
		{"two documents", `{"url":""}{}`, new(netkit.SetWebhook), "json_malformed", ""},
		{"trailing comma", `{"url":"",}`, new(netkit.SetWebhook), "json_malformed", ""},
		{"single quotes", `{'url':''}`, new(netkit.SetWebhook), "json_malformed", ""},
		{"a list", `[]`, new(netkit.SetWebhook), "type_wrong", ""},
		{"null", `null`, new(netkit.SetWebhook), "type_wrong", ""},
		{"control character", "{\"url\":\"a\x01\"}", new(netkit.SetWebhook), "json_malformed", ""},
		{"not UTF-8", "{\"url\":\"\xff\"}", new(netkit.SetWebhook), "json_malformed", ""},
		{"bad escape", `{"url":"\x"}`, new(netkit.SetWebhook), "json_malformed", ""},
		{"unknown", `{"url":"","more":1}`, new(netkit.SetWebhook), "field_unknown", "(unknown field)"},
		{"case", `{"URL":""}`, new(netkit.SetWebhook), "field_unknown", "URL"},
		{"repeated", `{"url":"","url":"x"}`, new(netkit.SetWebhook), "field_repeated", "url"},
		{"repeated by escape", `{"url":"","\u0075rl":"x"}`, new(netkit.SetWebhook), "field_repeated", "url"},
		{"missing", `{}`, new(netkit.SetWebhook), "field_missing", "url"},
		{"null for required", `{"url":null}`, new(netkit.SetWebhook), "type_wrong", "url"},
		{"deep unknown", `{"campaign_id":1,"signal":{"headline":"","body":"","sources":[],"x":1}}`, new(netkit.Execute), "field_unknown", "signal.(unknown field)"},
		{"misspelt", `{"campaignId":1}`, new(netkit.Execute), "field_unknown", "campaignId"},
		{"a secret for a name", `{"hunter2-hunter2":1}`, new(netkit.Execute), "field_unknown", "(unknown field)"},
		{"deep missing", `{"campaign_id":1,"signal":{"headline":"","body":""}}`, new(netkit.Execute), "field_missing", "signal.sources"},
		{"in a list", `{"campaign_id":1,"signal":{"headline":"","body":"","sources":["a",7]}}`, new(netkit.Execute), "type_wrong", "signal.sources[1]"},
		{"fraction for id", `{"campaign_id":1.5}`, new(netkit.Execute), "value_wrong", "campaign_id"},
		{"negative id", `{"campaign_id":-1}`, new(netkit.Execute), "value_wrong", "campaign_id"},
		{"id beyond int64", `{"id":9223372036854775808,"name":"x"}`, new(netkit.CreatePlant), "value_wrong", "id"},
		{"id as text", `{"id":"1","name":"x"}`, new(netkit.CreatePlant), "type_wrong", "id"},
		{"number for text", `{"id":1,"name":2}`, new(netkit.CreatePlant), "type_wrong", "name"},
		{"three decimals", `{"sponsor":"a","amount":1.005,"reference":""}`, new(netkit.Deposit), "value_wrong", "amount"},
		{"huge amount", `{"sponsor":"a","amount":1e30,"reference":""}`, new(netkit.Deposit), "value_wrong", "amount"},
		{"amount in quotes", `{"sponsor":"a","amount":"1.00","reference":""}`, new(netkit.Deposit), "value_wrong", "amount"},
		{"unknown niche", `{"channels":["SPORTS"]}`, new(netkit.SetChannels), "value_wrong", "channels[0]"},
		{"number for niche", `{"channels":[1]}`, new(netkit.SetChannels), "type_wrong", "channels[0]"},
		{"text for bool", `{"accepts_attention_requests":"yes"}`, new(netkit.Claims), "type_wrong", "accepts_attention_requests"},
		{"short hash", `{"sha256":"abc"}`, new(netkit.AcceptConstitution), "value_wrong", "sha256"},
		{"bad time", `{"scopes":["read"],"expires_at":"tomorrow"}`, new(netkit.IssueToken), "value_wrong", "expires_at"},
		{"too deep", strings.Repeat(`{"url":`, 40), new(netkit.SetWebhook), "type_wrong", "url"},
		{"too many items", `{"scopes":[` + strings.Repeat(`"read",`, 2000) + `"read"]}`, new(netkit.IssueToken), "too_many", "scopes"},
	} {
		err := decode([]byte(c.body), c.into)
		var r *netkit.Refusal
		if !errors.As(err, &r) {
			t.Errorf("%s: got %v, want a refusal", c.name, err)
			continue
		}
		if c.name == "too deep" { // the text breaks off before its depth shows
			continue
		}
		if r.Code != c.code || r.Field != c.field || !errors.Is(r, netkit.ErrInvalid) {
			t.Errorf("%s: got %s at %q (%s), want %s at %q", c.name, r.Code, r.Field, r.What, c.code, c.field)
		}
	}
}

// A field that may be left out may also be null, as some languages send it.
func TestDecodeNullIsAbsent(t *testing.T) {
	var got netkit.SendAttention
	if err := decode([]byte(`{"to":"bob","subject":"s","body":"b","max_price":null,"expires_in":null}`), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(netkit.SendAttention{To: "bob", Subject: "s", Body: "b"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestAimTakesThePath(t *testing.T) {
	var got netkit.FundContract
	for body, code := range map[string]string{`{"amount":5}`: "", `{"amount":5,"campaign_id":7}`: "", `{"amount":5,"campaign_id":8}`: "path_differs",
		`{}`: "field_missing", ``: "body_missing", `{"campaign_id":"7","amount":5}`: "type_wrong"} {
		got = netkit.FundContract{}
		err := aim([]byte(body), &got, "campaign_id", reflect.ValueOf(uint64(7)))
		var r *netkit.Refusal
		if errors.As(err, &r) != (code != "") || r != nil && r.Code != code {
			t.Errorf("%s: got %v, want %q", body, err, code)
		}
		if want := (netkit.FundContract{CampaignID: 7, Amount: 500}); code == "" && got != want {
			t.Errorf("%s: got %+v, want %+v", body, got, want)
		}
	}
	var w netkit.Witness
	if err := aim(nil, &w, "id", reflect.ValueOf(uint64(3))); err != nil || w.ID != 3 {
		t.Errorf("without a body: got %+v, %v, want id 3", w, err)
	}
}

// Whatever is taken means what encoding/json says that it means.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"sponsor":"acme","title":"t","brief":"b","channel":"LEGAL","payload":"p","budget":12.5,"matching":{"niches":["LEGAL"],"llm_providers":["x"],"min_tier":"BADGED"},"ends_at":"2026-03-01T00:00:00Z"}`))
	f.Add([]byte(`{"campaign_id":1,"signal":{"headline":"\u00e9","body":"b","sources":["a"]}}`))
	f.Add([]byte(` { "to" : "x" , "subject":"","body":"","max_price":1e2 } `))
	f.Add([]byte("0\f")) // a form feed is white space for Go, but not for JSON
	f.Add([]byte("\r\n\t 0 "))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, make := range []func() any{func() any { return new(netkit.OpenContract) }, func() any { return new(netkit.Execute) }, func() any { return new(netkit.SendAttention) }} {
			got, want := make(), make()
			if decode(b, got) != nil {
				continue
			}
			if err := json.Unmarshal(b, want); err != nil {
				t.Fatalf("%q: taken, but encoding/json says %v", b, err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%q (-json +decode):\n%s", b, diff)
			}
		}
	})
}
