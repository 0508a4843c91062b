package server

import (
	"reflect"
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// bodies are requests of executions, whole and broken.
var bodies = []string{
	`{"campaign_id":17,"signal":{"headline":"h","body":"b","sources":["https://example.org"]}}`,
	` { "signal" : { "sources":[ "a" , "b\n\u00e9\ud83d\ude00" ], "body":"", "headline":"x" } , "campaign_id" : 0 } `,
	`{"campaign_id":18446744073709551615,"signal":{"headline":"h","body":"b","sources":[]}}`,
	`{"campaign_id":18446744073709551616,"signal":{"headline":"h","body":"b","sources":[]}}`,
	`{"campaign_id":-1,"signal":{"headline":"h","body":"b","sources":[]}}`,
	`{"campaign_id":1.0,"signal":{"headline":"h","body":"b","sources":[]}}`,
	`{"campaign_id":"1","signal":{"headline":"h","body":"b","sources":[]}}`,
	`{"campaign_id":null,"signal":{"headline":"h","body":"b","sources":[]}}`,
	`{"campaign_id":01,"signal":{"headline":"h","body":"b","sources":[]}}`,
	`{"campaign_id":1,"campaign_id":1,"signal":{"headline":"h","body":"b","sources":[]}}`,
	`{"campaign_id":1,"signal":{"headline":"h","headline":"h","body":"b","sources":[]}}`,
	`{"campaign_id":1,"signal":{"headline":"h","body":"b","sources":[],"more":1}}`,
	`{"campaign_id":1,"signal":{"headline":"h","body":"b","sources":["a",7]}}`,
	`{"campaign_id":1,"signal":{"headline":"h","body":"b","sources":"a"}}`,
	`{"campaign_id":1,"signal":{"headline":null,"body":"b","sources":null}}`,
	`{"campaign_id":1,"signal":[]}`,
	`{"campaign_id":1,"signal":{"headline":"h","body":"b"}}`,
	`{"campaign_id":1}`,
	`{"Campaign_id":1,"signal":{"headline":"h","body":"b","sources":[]}}`,
	`{"campaign_id":1,"signal":{"headline":"\ud800","body":"b","sources":[]}}`,
	"{\"campaign_id\":1,\"signal\":{\"headline\":\"\xff\",\"body\":\"b\",\"sources\":[]}}",
	`{"campaign_id":1,"signal":{"headline":"h","body":"b","sources":[]}} {}`,
	`{"campaign_id":1,"signal":{"headline":"h","body":"b","sources":[]}`,
	`{"campaign_id":1,"signal":{"headline":"h","body":"b","sources":[[[[`,
	`[]`, `7`, `null`, `{}`, ``, ` `,
}

// sameExecute decodes a body both ways and compares.
func sameExecute(t *testing.T, body []byte) {
	var got, want netkit.Execute
	errGot, errWant := decodeExecute(body, &got), decode(body, &want)
	if !reflect.DeepEqual(errGot, errWant) {
		t.Errorf("%q: refused with %v, want %v", body, errGot, errWant)
	}
	if errWant == nil && !reflect.DeepEqual(got, want) {
		t.Errorf("%q: read %+v, want %+v", body, got, want)
	}
}

func TestDecodeExecute(t *testing.T) {
	for _, body := range bodies {
		sameExecute(t, []byte(body))
	}
	if !readExecute([]byte(bodies[1]), new(netkit.Execute)) {
		t.Error("a body without a fault takes the long way")
	}
}

func FuzzDecodeExecute(f *testing.F) {
	for _, body := range bodies {
		f.Add([]byte(body))
	}
	f.Fuzz(sameExecute)
}
