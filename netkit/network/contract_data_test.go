package network

import (
	"errors"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

const lineSchema = `{"type":"object","required":["line"],"additionalProperties":false,"properties":{"line":{"type":"string"},"load":{"type":"number","maximum":1}}}`

// fieldOf returns the field that a refusal names.
func fieldOf(err error) string {
	if r, ok := errors.AsType[*netkit.Refusal](err); ok {
		return r.Field
	}
	return ""
}

// Data is checked against the schema of its contract at input, in executions, their
// previews and bulks, and delivered to those who may read the signal.
func TestDataFitsTheSchema(t *testing.T) {
	f := start(t, journal.NewMemory(), clearing(72))
	f.agents("ada", "bea")
	f.admit("acme", 100*netkit.Credit)
	plain := f.offers(nil)
	id := f.offers(func(c *netkit.OpenContract) { c.Schema, c.ExecutionsPerAgent = lineSchema, 3 })
	if c := must[netkit.Campaign](t)(f.As("ada").Campaign(t.Context(), id)); c.Schema != lineSchema || !c.Structured || c.PaysYou == nil {
		t.Errorf("got %+v, want a contract that pays and shows its schema", c)
	}
	for _, x := range []struct {
		contract    uint64
		data        netkit.JSON
		code, field string
	}{
		{plain, `{"line":"L1"}`, "data_unexpected", "signal.data"},
		{id, "", "data_missing", "signal.data"},
		{id, `{}`, "data_mismatch", "signal.data.line"},
		{id, `{"line":"L1","load":1.5}`, "data_mismatch", "signal.data.load"},
		{id, `{"line":"L1","note":"x"}`, "data_mismatch", "signal.data.note"},
	} {
		in := netkit.Execute{CampaignID: x.contract, Signal: signal}
		in.Signal.Data = x.data
		_, err := f.As("ada").Execute(t.Context(), in)
		refused(t, err, netkit.ErrInvalid, x.code)
		if got := fieldOf(err); got != x.field {
			t.Errorf("%s: got the field %s, want %s", x.data, got, x.field)
		}
		_, err = f.As("ada").PreviewExecution(t.Context(), in)
		refused(t, err, netkit.ErrInvalid, x.code)
		for _, out := range f.As("ada").ExecuteBulk(t.Context(), []netkit.BulkExecute{{Execute: in}}) {
			refused(t, out.Err, netkit.ErrInvalid, x.code)
		}
	}
	in := netkit.Execute{CampaignID: id, Signal: signal}
	in.Signal.Data = `{"line":"L1","load":0.5}`
	got := must[netkit.Execution](t)(f.As("ada").Execute(t.Context(), in))
	if v := must[netkit.ExecutionView](t)(f.As("acme").Delivery(t.Context(), got.ExecutionID)); v.Signal == nil || v.Signal.Data != in.Signal.Data {
		t.Errorf("got %+v, want the data", v.Signal)
	}
	if v := must[netkit.ExecutionView](t)(f.As("bea").Delivery(t.Context(), got.ExecutionID)); v.Signal != nil {
		t.Errorf("got %+v, want no signal for bea", v.Signal)
	}
	f.waits(time.Hour)
	must[netkit.ErasureReceipt](t)(f.op().ErasePrivate(t.Context(), netkit.ErasePrivate{Entry: id, Reason: "r"}))
	_, err := f.As("bea").Execute(t.Context(), in)
	refused(t, err, netkit.ErrConflict, "schema_erased")
}

// The event of a delivery has the data for the sponsor, but not while a crisis runs.
func TestDeliveredEventsHaveData(t *testing.T) {
	f := start(t, journal.NewMemory(), clearing(72))
	f.agents("ada")
	f.admit("acme", 100*netkit.Credit)
	in := netkit.Execute{CampaignID: f.offers(func(c *netkit.OpenContract) { c.Schema = lineSchema }), Signal: signal}
	in.Signal.Data = `{"line":"L1"}`
	id := must[netkit.Execution](t)(f.As("ada").Execute(t.Context(), in)).ExecutionID
	told := func() (all []netkit.ExecutionNotice) {
		s := must[rules.Stretch](t)(f.Stretch(t.Context(), id, id+1))
		for _, e := range s.Events {
			if x, ok := e.Data.(netkit.ExecutionNotice); ok {
				all = append(all, x)
			}
		}
		return all
	}
	if got := told(); len(got) != 2 || got[0].Data != "" || got[1].Data != in.Signal.Data || !got[1].Structured {
		t.Errorf("got %+v, want the data in the sponsor's event alone", got)
	}
	f.publishes(netkit.P0, netkit.NicheLegal, "h")
	if got := told(); len(got) != 2 || got[1].Data != "" {
		t.Errorf("got %+v while a crisis runs, want no data", got)
	}
}

func TestSchemaBadInput(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.admit("acme", 100*netkit.Credit)
	for schema, field := range map[netkit.JSON]string{`{}`: "schema.type", `{"type":"object","$ref":"#"}`: "schema.$ref", `{"type":"object","properties":{"a":{"type":"text"}}}`: "schema.properties.a.type"} {
		_, err := f.op().OpenContract(t.Context(), netkit.OpenContract{Sponsor: "acme", Title: "t", Brief: "b", Channel: netkit.NicheSilicon, Budget: 20 * netkit.Credit, Schema: schema})
		refused(t, err, netkit.ErrInvalid, "schema_malformed")
		if got := fieldOf(err); got != field {
			t.Errorf("%s: got the field %s, want %s", schema, got, field)
		}
	}
}
