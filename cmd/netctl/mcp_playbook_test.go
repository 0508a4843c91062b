package main

import (
	"encoding/json"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A decision on a text that the playbook does not hold is refused. So is a sure finding
// in a field that is sent, with every place and a rewording.
func TestModelDecidesOnTextsThatAreThere(t *testing.T) {
	l := liveIn(t)
	f := follow(t, "--data", l.Dir, "--as", "ada", "mcp")
	sent := strings.NewReplacer("A bill", "Refund for jane@example.org", `"status"`, `"entity":"a firm, 312-555-0187","status"`).Replace(unsureBook)
	for _, x := range []struct {
		book          string
		keep, mark    []string
		problem, next string
	}{
		{unsureBook, nil, []string{"Gruvelock", "Gruvelok"}, "does not hold the text of mark[1]", "copy the text"},
		{unsureBook, nil, []string{"Gruvelock=PERSON"}, "does not hold the text of mark[0]", "one of NAME, CASE_REF"},
		{unsureBook, []string{"Gruvelok"}, nil, "does not hold the text of keep[0]", "copy the text"},
		{sent, []string{"jane@example.org", "312-555-0187"}, nil, "title 11 27 EMAIL, entity 8 20 PHONE", `title as "Refund for [EMAIL_1]", entity as "a firm, [PHONE_1]"`},
	} {
		r, err := f.CallTool(t.Context(), &sdk.CallToolParams{Name: "register_playbook", Arguments: map[string]any{
			"playbook": json.RawMessage(x.book), "keep": x.keep, "mark": x.mark, "mask_unsure": true}})
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Problem, Next string }
		if err := json.Unmarshal([]byte(r.Content[0].(*sdk.TextContent).Text), &got); err != nil || !strings.Contains(got.Problem, x.problem) || !strings.Contains(got.Next, x.next) {
			t.Errorf("keep %q, mark %q: got %+v, %v, want %s; %s", x.keep, x.mark, got, err, x.problem, x.next)
		}
	}
}
