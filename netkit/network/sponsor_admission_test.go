package network

import (
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// witnesses makes three agents that qualify as witness.
func (f *fixture) witnesses(slugs ...string) {
	f.t.Helper()
	f.agents(slugs...)
	f.confirms(slugs...)
	f.days(7)
}

func (f *fixture) proposes(sponsor string) netkit.AdmissionReceipt {
	f.t.Helper()
	return must[netkit.AdmissionReceipt](f.t)(f.op().ProposeSponsor(f.t.Context(), netkit.ProposeSponsor{Sponsor: sponsor, Name: "A Ltd"}))
}

func TestAdmissionWithTooFewWitnesses(t *testing.T) {
	f := memory(t)
	f.witnesses("ada", "bea")
	r := f.proposes("acme")
	if r.State != "admitted" || r.WitnessNeeded || r.Token == "" {
		t.Errorf("got %+v, want it admitted at once with a token", r)
	}
	e := must[*rules.Entry](t)(f.Entry(t.Context(), r.Seq))
	if got, ok := e.Fact.(*rules.SponsorAdmitted); !ok || !got.Waived || got.Witness != "" || got.Proposer != "operator" {
		t.Errorf("got %+v, want an entry that says that the witness was waived", e.Fact)
	}
	must[netkit.Deposited](t)(f.op().Deposit(t.Context(), netkit.Deposit{Sponsor: "acme", Amount: netkit.Credit, Reference: "wire"}))
}

func TestAdmissionWithWitness(t *testing.T) {
	f := memory(t)
	ctx := t.Context()
	f.witnesses("ada", "bea", "cora")
	f.agents("dora")
	r := f.proposes("acme")
	if r.State != "pending" || !r.WitnessNeeded {
		t.Fatalf("got %+v, want it pending", r)
	}
	if s := must[netkit.SponsorView](t)(f.As("").Sponsor(ctx, "acme")); s.Slug != "acme" || s.Admitted {
		t.Errorf("got %+v, want it not admitted", s)
	}
	_, err := f.op().Deposit(ctx, netkit.Deposit{Sponsor: "acme", Amount: netkit.Credit, Reference: "wire"})
	refused(t, err, netkit.ErrConflict, "sponsor_pending")
	_, err = f.As("acme").OpenContract(ctx, netkit.OpenContract{Title: "t", Brief: "b", Channel: netkit.NicheLegal, Budget: 2 * netkit.Credit})
	refused(t, err, netkit.ErrConflict, "sponsor_pending")
	_, err = f.As("").Spawn(ctx, netkit.Spawn{Slug: "acme"})
	refused(t, err, netkit.ErrConflict, "slug_taken")

	for _, c := range []struct {
		by   string
		id   uint64
		kind error
		code string
	}{
		{"", r.AdmissionID, netkit.ErrUnauthenticated, "unauthenticated"},
		{"operator", r.AdmissionID, netkit.ErrForbidden, "witness_is_revoker"},
		{"dora", r.AdmissionID, netkit.ErrForbidden, "witness_unconfirmed"},
		{"ada", 99, netkit.ErrNotFound, "witness_nothing"},
	} {
		_, err := f.As(c.by).Witness(ctx, netkit.Witness{ID: c.id})
		refused(t, err, c.kind, c.code)
	}
	f.confirms("dora")
	_, err = f.As("dora").Witness(ctx, netkit.Witness{ID: r.AdmissionID})
	refused(t, err, netkit.ErrForbidden, "witness_too_young")
	if got := must[netkit.List[netkit.WitnessRequest]](t)(f.As("dora").Witnessing(ctx, netkit.Page{})); len(got.Items) != 0 {
		t.Errorf("dora: got %+v, want nothing", got.Items)
	}
	got := must[netkit.List[netkit.WitnessRequest]](t)(f.As("ada").Witnessing(ctx, netkit.Page{}))
	if len(got.Items) != 1 || got.Items[0].ID != r.AdmissionID || got.Items[0].Subject != "acme" || got.Items[0].By != "operator" {
		t.Errorf("ada: got %+v, want the admission of acme", got.Items)
	}

	w := must[netkit.WitnessReceipt](t)(f.As("ada").Witness(ctx, netkit.Witness{ID: r.AdmissionID}))
	if w.Kind != "admission" || w.Subject != "acme" {
		t.Errorf("got %+v, want the admission of acme", w)
	}
	_, err = f.As("bea").Witness(ctx, netkit.Witness{ID: r.AdmissionID})
	refused(t, err, netkit.ErrConflict, "already_admitted")
	must[netkit.Deposited](t)(f.op().Deposit(ctx, netkit.Deposit{Sponsor: "acme", Amount: 5 * netkit.Credit, Reference: "wire"}))
	list := must[netkit.List[netkit.SponsorView]](t)(f.As("").Sponsors(ctx, netkit.Page{}))
	want := netkit.SponsorView{Slug: "acme", Name: "A Ltd", Admitted: true, Witness: "ada", Since: netkit.At(f.now), Funds: 5 * netkit.Credit, Buyer: netkit.BuyerRecord{Days: 30}}
	if len(list.Items) != 1 || list.Items[0] != want {
		t.Errorf("got %+v, want %+v", list.Items, want)
	}
	if _, err := f.Authenticate(r.Token); err != nil {
		t.Errorf("the sponsor's token: %v", err)
	}
	f.replays(t, string(f.state.Canonical()))
}

func TestAdmissionRefusals(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	for _, c := range []struct {
		by   string
		in   netkit.ProposeSponsor
		kind error
		code string
	}{
		{"", netkit.ProposeSponsor{Sponsor: "acme"}, netkit.ErrUnauthenticated, "unauthenticated"},
		{"ada", netkit.ProposeSponsor{Sponsor: "acme"}, netkit.ErrForbidden, "operators_only"},
		{"operator", netkit.ProposeSponsor{Sponsor: "A"}, netkit.ErrInvalid, "slug_malformed"},
		{"operator", netkit.ProposeSponsor{Sponsor: "ada"}, netkit.ErrConflict, "slug_taken"},
		{"operator", netkit.ProposeSponsor{Sponsor: "treasury"}, netkit.ErrInvalid, "slug_reserved"},
		{"operator", netkit.ProposeSponsor{Sponsor: "acme", Name: string(make([]byte, 3))}, netkit.ErrInvalid, "text_control"},
	} {
		_, err := f.As(c.by).ProposeSponsor(t.Context(), c.in)
		refused(t, err, c.kind, c.code)
	}
}

// A proposal whose receipt was lost is retried with the sponsor's own hash.
func TestProposalIsSafeToRetry(t *testing.T) {
	f := memory(t)
	hash := netkit.Token{7}.SHA256()
	in := netkit.ProposeSponsor{Sponsor: "acme", TokenSHA256: &hash}
	first := must[netkit.AdmissionReceipt](t)(f.op().ProposeSponsor(t.Context(), in))
	if got := must[netkit.AdmissionReceipt](t)(f.op().ProposeSponsor(t.Context(), in)); got != first || got.Token != "" {
		t.Errorf("got %+v, want %+v again", got, first)
	}
}

// Sponsors are listed a page at a time, newest first.
func TestSponsorPages(t *testing.T) {
	f := memory(t)
	for _, slug := range []string{"aaa", "bbb", "ccc"} {
		f.admit(slug, netkit.Credit)
		f.passes(time.Minute)
	}
	var got []string
	for page := (netkit.Page{Limit: 2}); ; {
		l := must[netkit.List[netkit.SponsorView]](t)(f.As("").Sponsors(t.Context(), page))
		for _, s := range l.Items {
			got = append(got, s.Slug)
		}
		if page.Cursor = l.NextCursor; page.Cursor == "" {
			break
		}
	}
	_, err := f.As("").Sponsor(t.Context(), "nobody")
	refused(t, err, netkit.ErrNotFound, "sponsor_unknown")
	if len(got) != 3 || got[0] != "ccc" || got[2] != "aaa" {
		t.Errorf("got %v, want ccc, bbb, aaa", got)
	}
}
