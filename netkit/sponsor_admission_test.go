package netkit

import (
	"testing"
	"time"
)

// witnesses makes three agents that qualify as witness.
func (f *fixture) witnesses(slugs ...string) {
	f.t.Helper()
	f.agents(slugs...)
	f.confirms(slugs...)
	f.days(7)
}

func (f *fixture) proposes(sponsor string) AdmissionReceipt {
	f.t.Helper()
	return must[AdmissionReceipt](f.t)(f.op().ProposeSponsor(f.t.Context(), ProposeSponsor{Sponsor: sponsor, Name: "A Ltd"}))
}

func TestAdmissionWithTooFewWitnesses(t *testing.T) {
	f := memory(t)
	f.witnesses("ada", "bea")
	r := f.proposes("acme")
	if r.State != "admitted" || r.WitnessNeeded || r.Token == "" {
		t.Errorf("got %+v, want it admitted at once with a token", r)
	}
	e := must[*Entry](t)(f.Entry(t.Context(), r.Seq))
	if got, ok := e.Fact.(*SponsorAdmitted); !ok || !got.Waived || got.Witness != "" || got.Proposer != "operator" {
		t.Errorf("got %+v, want an entry that says that the witness was waived", e.Fact)
	}
	must[Deposited](t)(f.op().Deposit(t.Context(), Deposit{Sponsor: "acme", Amount: Credit, Reference: "wire"}))
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
	_, err := f.op().Deposit(ctx, Deposit{Sponsor: "acme", Amount: Credit, Reference: "wire"})
	refused(t, err, ErrConflict, "sponsor_pending")
	_, err = f.As("acme").OpenContract(ctx, OpenContract{Title: "t", Brief: "b", Channel: NicheLegal, Budget: 2 * Credit})
	refused(t, err, ErrConflict, "sponsor_pending")
	_, err = f.As("").Spawn(ctx, Spawn{Slug: "acme"})
	refused(t, err, ErrConflict, "slug_taken")

	for _, c := range []struct {
		by   string
		id   uint64
		kind error
		code string
	}{
		{"", r.AdmissionID, ErrUnauthenticated, "unauthenticated"},
		{"operator", r.AdmissionID, ErrForbidden, "witness_is_revoker"},
		{"dora", r.AdmissionID, ErrForbidden, "witness_unconfirmed"},
		{"ada", 99, ErrNotFound, "witness_nothing"},
	} {
		_, err := f.As(c.by).Witness(ctx, Witness{ID: c.id})
		refused(t, err, c.kind, c.code)
	}
	f.confirms("dora")
	_, err = f.As("dora").Witness(ctx, Witness{ID: r.AdmissionID})
	refused(t, err, ErrForbidden, "witness_too_young")
	if got := must[List[WitnessRequest]](t)(f.As("dora").Witnessing(ctx, Page{})); len(got.Items) != 0 {
		t.Errorf("dora: got %+v, want nothing", got.Items)
	}
	got := must[List[WitnessRequest]](t)(f.As("ada").Witnessing(ctx, Page{}))
	if len(got.Items) != 1 || got.Items[0].ID != r.AdmissionID || got.Items[0].Subject != "acme" || got.Items[0].By != "operator" {
		t.Errorf("ada: got %+v, want the admission of acme", got.Items)
	}

	w := must[WitnessReceipt](t)(f.As("ada").Witness(ctx, Witness{ID: r.AdmissionID}))
	if w.Kind != "admission" || w.Subject != "acme" {
		t.Errorf("got %+v, want the admission of acme", w)
	}
	_, err = f.As("bea").Witness(ctx, Witness{ID: r.AdmissionID})
	refused(t, err, ErrConflict, "already_admitted")
	must[Deposited](t)(f.op().Deposit(ctx, Deposit{Sponsor: "acme", Amount: 5 * Credit, Reference: "wire"}))
	list := must[List[SponsorView]](t)(f.As("").Sponsors(ctx, Page{}))
	want := SponsorView{Slug: "acme", Name: "A Ltd", Admitted: true, Witness: "ada", Since: At(f.now), Funds: 5 * Credit}
	if len(list.Items) != 1 || list.Items[0] != want {
		t.Errorf("got %+v, want %+v", list.Items, want)
	}
	if _, err := f.Authenticate(r.Token); err != nil {
		t.Errorf("the sponsor's token: %v", err)
	}
	f.replays(t, string(f.state.canonical()))
}

func TestAdmissionRefusals(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	for _, c := range []struct {
		by   string
		in   ProposeSponsor
		kind error
		code string
	}{
		{"", ProposeSponsor{Sponsor: "acme"}, ErrUnauthenticated, "unauthenticated"},
		{"ada", ProposeSponsor{Sponsor: "acme"}, ErrForbidden, "operators_only"},
		{"operator", ProposeSponsor{Sponsor: "A"}, ErrInvalid, "slug_malformed"},
		{"operator", ProposeSponsor{Sponsor: "ada"}, ErrConflict, "slug_taken"},
		{"operator", ProposeSponsor{Sponsor: "treasury"}, ErrInvalid, "slug_reserved"},
		{"operator", ProposeSponsor{Sponsor: "acme", Name: string(make([]byte, 3))}, ErrInvalid, "text_control"},
	} {
		_, err := f.As(c.by).ProposeSponsor(t.Context(), c.in)
		refused(t, err, c.kind, c.code)
	}
}

// A proposal whose receipt was lost is retried with the sponsor's own hash.
func TestProposalIsSafeToRetry(t *testing.T) {
	f := memory(t)
	hash := Token{7}.SHA256()
	in := ProposeSponsor{Sponsor: "acme", TokenSHA256: &hash}
	first := must[AdmissionReceipt](t)(f.op().ProposeSponsor(t.Context(), in))
	if got := must[AdmissionReceipt](t)(f.op().ProposeSponsor(t.Context(), in)); got != first || got.Token != "" {
		t.Errorf("got %+v, want %+v again", got, first)
	}
}

// Sponsors are listed a page at a time, newest first.
func TestSponsorPages(t *testing.T) {
	f := memory(t)
	for _, slug := range []string{"aaa", "bbb", "ccc"} {
		f.admit(slug, Credit)
		f.passes(time.Minute)
	}
	var got []string
	for page := (Page{Limit: 2}); ; {
		l := must[List[SponsorView]](t)(f.As("").Sponsors(t.Context(), page))
		for _, s := range l.Items {
			got = append(got, s.Slug)
		}
		if page.Cursor = l.NextCursor; page.Cursor == "" {
			break
		}
	}
	if len(got) != 3 || got[0] != "ccc" || got[2] != "aaa" {
		t.Errorf("got %v, want ccc, bbb, aaa", got)
	}
}
