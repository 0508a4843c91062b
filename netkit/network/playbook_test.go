package network

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

func resolved(content byte) netkit.RegisterPlaybook {
	return netkit.RegisterPlaybook{Title: "Bill after a cancelled contract", Category: "utilities", SubCategory: "billing_dispute", Jurisdiction: "DE",
		Region: "Hessen", Entity: "an energy supplier", Status: "RESOLVED", TimeTakenDays: 21, StepCount: 5,
		ContentSHA256: netkit.Hash{content}, ScrubberVersion: "btdt/1"}
}

func TestPlaybookIsRegisteredOnce(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.agents("ada", "bob")
	first := must[netkit.PlaybookReceipt](t)(f.As("ada").RegisterPlaybook(netkit.WithKey(ctx, "k1"), resolved(1)))
	f.Unchanged(t, func() {
		for _, key := range []string{"k1", "k2", ""} {
			if again := must[netkit.PlaybookReceipt](t)(f.As("ada").RegisterPlaybook(netkit.WithKey(ctx, key), resolved(1))); again != first {
				t.Errorf("got %+v, want %+v", again, first)
			}
		}
		_, err := f.As("bob").RegisterPlaybook(ctx, resolved(1))
		refused(t, err, netkit.ErrConflict, "playbook_known")
	})
	f.restarts(t)
	if again := must[netkit.PlaybookReceipt](t)(f.As("ada").RegisterPlaybook(ctx, resolved(1))); again != first {
		t.Errorf("after a restart: got %+v, want %+v", again, first)
	}
}

func TestInventoryIsOnesOwn(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.agents("ada", "bob")
	var want []netkit.Playbook
	for i := range byte(3) {
		r := must[netkit.PlaybookReceipt](t)(f.As("ada").RegisterPlaybook(ctx, resolved(i+1)))
		want = append([]netkit.Playbook{{PlaybookID: r.PlaybookID, RegisterPlaybook: resolved(i + 1), RegisteredAt: r.At}}, want...)
	}
	must[netkit.PlaybookReceipt](t)(f.As("bob").RegisterPlaybook(ctx, resolved(9)))
	f.restarts(t)
	page := must[netkit.List[netkit.Playbook]](t)(f.As("ada").Inventory(ctx, netkit.Page{Limit: 2}))
	rest := must[netkit.List[netkit.Playbook]](t)(f.As("ada").Inventory(ctx, netkit.Page{Limit: 2, Cursor: page.NextCursor}))
	if diff := cmp.Diff(want, append(page.Items, rest.Items...)); diff != "" || rest.NextCursor != "" {
		t.Errorf("inventory (-want +got):\n%s and cursor %q", diff, rest.NextCursor)
	}
	for _, e := range must[[]json.RawMessage](t)(f.Entries(ctx, 0, 0)) {
		for _, text := range []string{"cancelled", "billing_dispute", "Hessen", "energy"} {
			if bytes.Contains(e, []byte(text)) {
				t.Errorf("the public part %s holds %q", e, text)
			}
		}
	}
	_, err := f.As("").Inventory(ctx, netkit.Page{})
	refused(t, err, netkit.ErrUnauthenticated, "unauthenticated")
}

func TestPlaybookRefused(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	for _, c := range []struct {
		with func(*netkit.RegisterPlaybook)
		code string
	}{
		{func(p *netkit.RegisterPlaybook) { p.Title = "" }, "text_missing"},
		{func(p *netkit.RegisterPlaybook) { p.Title = strings.Repeat("a", 201) }, "text_too_long"},
		{func(p *netkit.RegisterPlaybook) { p.Region = strings.Repeat("a", 101) }, "text_too_long"},
		{func(p *netkit.RegisterPlaybook) { p.Entity = "a\x01" }, "text_control"},
		{func(p *netkit.RegisterPlaybook) { p.Title = " " }, "text_missing"},
		{func(p *netkit.RegisterPlaybook) { p.Region = "a\nb" }, "playbook_wrong"},
		{func(p *netkit.RegisterPlaybook) { p.ScrubberVersion = "" }, "text_missing"},
		{func(p *netkit.RegisterPlaybook) { p.ScrubberVersion = "check/5550187" }, "playbook_wrong"},
		{func(p *netkit.RegisterPlaybook) { p.Category = "sports" }, "category_unknown"},
		{func(p *netkit.RegisterPlaybook) { p.Status = "OPEN" }, "status_other"},
		{func(p *netkit.RegisterPlaybook) { p.SubCategory = "a b" }, "label_malformed"},
		{func(p *netkit.RegisterPlaybook) { p.Jurisdiction = "Germany" }, "jurisdiction_malformed"},
		{func(p *netkit.RegisterPlaybook) { p.TimeTakenDays = netkit.MaxPlaybookDays + 1 }, "number_out_of_range"},
		{func(p *netkit.RegisterPlaybook) { p.TimeTakenDays = -1 }, "number_out_of_range"},
		{func(p *netkit.RegisterPlaybook) { p.StepCount = 0 }, "number_out_of_range"},
		{func(p *netkit.RegisterPlaybook) { p.ContentSHA256 = netkit.Hash{} }, "hash_missing"},
	} {
		in := resolved(1)
		c.with(&in)
		f.Unchanged(t, func() {
			_, err := f.As("ada").RegisterPlaybook(t.Context(), in)
			refused(t, err, netkit.ErrInvalid, c.code)
		})
	}
	_, err := f.op().RegisterPlaybook(t.Context(), resolved(1))
	refused(t, err, netkit.ErrForbidden, "agents_only")
}

// An agent registers ten playbooks on a date; the same one again is none, and the
// next date begins again.
func TestPlaybooksPerDay(t *testing.T) {
	f := start(t, journal.NewMemory(), func(c *netkit.Constitution) { c.Limits.PlaybooksPerDay = 10 })
	ctx := t.Context()
	f.agents("ada", "bob")
	for i := range byte(10) {
		must[netkit.PlaybookReceipt](t)(f.As("ada").RegisterPlaybook(ctx, resolved(i+1)))
	}
	f.restarts(t)
	_, err := f.As("ada").RegisterPlaybook(ctx, resolved(11))
	refused(t, err, netkit.ErrLimit, "playbooks_per_day")
	var r *netkit.Refusal
	if errors.As(err, &r) && r.After != 12*time.Hour {
		t.Errorf("got %s to wait at noon, want 12h", r.After)
	}
	must[netkit.PlaybookReceipt](t)(f.As("ada").RegisterPlaybook(ctx, resolved(1)))
	must[netkit.PlaybookReceipt](t)(f.As("bob").RegisterPlaybook(ctx, resolved(11)))
	f.days(1)
	must[netkit.PlaybookReceipt](t)(f.As("ada").RegisterPlaybook(ctx, resolved(12)))
}
