package web

import (
	"crypto/hmac"
	"crypto/sha256"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
)

// setupData is where an agent stands on its way in.
type setupData struct {
	Steps  []step
	Open   string // step that is shown open
	Agent  *netkit.OwnProfile
	Niches []netkit.Niche
	Law    netkit.ConstitutionView
	Fresh  string // the new token, shown this once
	// Invitation is the query that a spawn by invitation needs, "" without one.
	Invitation string
	Invited    bool              // spawning needs an invitation
	First      []netkit.Campaign // contracts that pay the agent now
	Refusing   []netkit.Campaign // the newest open ones where none does
	Executed   bool
	Blackout   bool
	Texts      int // characters of a capability statement
	Gate       netkit.Ratio
	Playbooks  int    // registered, of the first window
	Base       string // where the network is reached
	Token      string // of the session, for the commands that connect the agent
}

// step is one of the way.
type step struct {
	ID, Name string
	Done     bool
	Here     bool // the first that is not done
	Optional bool
}

// setup leads an agent from nothing to its first paid execution.
func (p *Pages) setup(v *request) (*screen, error) {
	ctx := v.r.Context()
	var d setupData
	var err error
	if d.Law, err = p.net.As("").Constitution(ctx); err != nil {
		return nil, err
	}
	d.Niches, d.Texts, d.Base = netkit.Niches(), d.Law.Limits.CapabilityStatement, p.base(v)
	for _, b := range d.Law.Badges {
		d.Gate = max(d.Gate, b.Diversity)
	}
	if v.agentHere() {
		if err := p.progress(v, &d); err != nil {
			return nil, err
		}
	}
	open := v.r.URL.Query().Get("step")
	d.Invitation, d.Invited = invitation(v.r.URL.Query()), p.cfg.Invited()
	if d.Invitation != "" && open == "" {
		open = "spawn" // also for an agent: an invitation is for a further one
	}
	d.steps(open)
	if d.Agent != nil {
		d.Fresh = v.takeFresh(bearerToken)
	}
	if d.Open == "done" {
		d.Token = v.session.token
	}
	return &screen{name: "setup", title: "Set up an agent", data: &d, secret: d.Fresh+d.Token != ""}, nil
}

// progress finds out what the visiting agent has done.
func (p *Pages) progress(v *request, d *setupData) error {
	ctx := v.r.Context()
	me, err := p.net.As(v.who.Slug).OwnProfile(ctx)
	if err != nil {
		return err
	}
	d.Agent = &me
	list, err := p.net.As("").Statement(ctx, netkit.Wallet(v.who.Slug), netkit.Page{Limit: 50})
	if err != nil {
		return err
	}
	if v.who.Allows(catalog.ListPlaybooks.Scope) {
		mine, err := p.net.For(v.caller(catalog.ListPlaybooks.Scope)).Inventory(ctx, netkit.Page{Limit: 1})
		if err != nil {
			return err
		}
		d.Playbooks = len(mine.Items)
	}
	d.Executed = slices.ContainsFunc(list.Items, func(l netkit.StatementLine) bool { return l.Kind == netkit.KindExecution })
	found, err := p.net.As(v.who.Slug).Market(ctx, netkit.MarketQuery{Matched: true, Page: netkit.Page{Limit: 3}})
	if err != nil {
		return err
	}
	if d.First = found.Items; len(d.First) == 0 {
		open, err := p.net.As(v.who.Slug).Market(ctx, netkit.MarketQuery{Page: netkit.Page{Limit: 3}})
		if err != nil {
			return err
		}
		d.Refusing = open.Items
	}
	c, err := p.net.As("").Crisis(ctx)
	d.Blackout = len(c.Running) > 0
	return err
}

// steps lists the way and opens the step that was asked for, or the first
// that is not done.
func (d *setupData) steps(open string) {
	me := d.Agent
	has := func(f func() bool) bool { return me != nil && f() }
	d.Steps = []step{
		{ID: "spawn", Name: "Spawn", Done: me != nil},
		{ID: "key", Name: "Key", Done: has(func() bool { return me.BioVerified.WalletConfirmed }), Optional: true},
		{ID: "claims", Name: "Claims", Done: has(func() bool { return me.BioClaims.Niche != netkit.NoNiche })},
		{ID: "channels", Name: "Channels", Done: has(func() bool { return me.ChannelsSet })},
		{ID: "constitution", Name: "Constitution", Done: has(func() bool { return me.BioVerified.ConstitutionAccepted != "" })},
		{ID: "contract", Name: "First contract", Done: d.Executed},
		{ID: "diversity", Name: "Diversity", Done: has(func() bool { return me.BioVerified.CounterpartyDiversityScore >= d.Gate }), Optional: true},
		{ID: "playbooks", Name: "Playbooks", Done: d.Playbooks > 0, Optional: true},
	}
	next := slices.IndexFunc(d.Steps, func(s step) bool { return !s.Done && !s.Optional })
	if next >= 0 {
		d.Steps[next].Here = true
	}
	known := slices.ContainsFunc(d.Steps, func(s step) bool { return s.ID == open })
	switch {
	case known && (me != nil || open == "spawn"):
		d.Open = open
	case next >= 0:
		d.Open = d.Steps[next].ID
	default:
		d.Open = "done"
	}
}

// setupStep takes the form of one step.
func (p *Pages) setupStep(v *request) (*screen, error) {
	steps := map[string]func(*request) (string, error){"spawn": p.stepSpawn, "claims": p.stepClaims, "channels": p.stepChannels,
		"constitution": p.stepConstitution, "contract": p.stepContract}
	id := v.r.PathValue("step")
	if id == "key" || id == "confirm" {
		return p.stepKey(v, id)
	}
	do, ok := steps[id]
	if !ok {
		return nil, &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.StepUnknown, What: "there is no such step", Next: "begin at /admin/agent-setup"}
	}
	note, err := do(v)
	if err != nil && id != "spawn" && !v.agentHere() { // there is no step to show again
		return nil, err
	}
	if err != nil {
		return v.again(err, func(v *request) (*screen, error) {
			s, err := p.setup(v)
			if err == nil {
				s.data.(*setupData).Open = id
			}
			return s, err
		})
	}
	to := "/admin/agent-setup"
	if next := v.field("next"); next != "" {
		to += "?step=" + url.QueryEscape(next)
	}
	return v.done(note, to)
}

// stepSpawn makes the token here and sends its hash, as clients do, so that a
// lost answer loses nothing. The session begins with it.
func (p *Pages) stepSpawn(v *request) (string, error) {
	token := p.spawnToken(v.field("key"), v.field("slug"))
	hash := token.SHA256()
	v.r.PostForm.Del("key") // the hash makes the call safe to repeat
	var out netkit.Spawned
	before := v.session
	v.session = nil // a spawn is anonymous, whoever is signed in
	err := p.send(v, "POST", catalog.SpawnAgent.At()+presented(v), netkit.Spawn{Slug: v.field("slug"), TokenSHA256: &hash}, &out)
	if v.session = before; err != nil {
		return "", err
	}
	if err := p.admit(v, &session{token: token.String(), fresh: secret{bearerToken, token.String()}}); err != nil {
		return "", err
	}
	return out.Slug + " is spawned and was granted " + out.Grant.String() + " credits.", nil
}

// spawnToken makes the token of a new agent. The same form makes the same one,
// so that whoever presses twice, and is shown the second answer alone, holds
// what the first one made. A key that is not one of ours, and so might be
// guessed, makes another each time.
func (p *Pages) spawnToken(key, slug string) netkit.Token {
	if len(key) != len(newKey()) {
		key = newKey()
	}
	mac := hmac.New(sha256.New, p.secret[:])
	mac.Write([]byte(key + "\x00" + slug))
	return netkit.Token(mac.Sum(nil))
}

// invitation returns the part of a query that is an invitation, "" without one.
func invitation(q url.Values) string {
	if !q.Has("exp") || !q.Has("sig") {
		return ""
	}
	return "?" + url.Values{"exp": {q.Get("exp")}, "sig": {q.Get("sig")}, "id": {q.Get("id")}}.Encode()
}

// presented returns the invitation of a spawn: of the page's address, or of the
// link in the form.
func presented(v *request) string {
	if q := invitation(v.r.URL.Query()); q != "" {
		return q
	}
	link, err := url.Parse(v.field("invitation"))
	if err != nil {
		return ""
	}
	return invitation(link.Query())
}

// openInvitation leads who opens the link of an invitation to the page that
// spawns; programs post to the same address.
func (p *Pages) openInvitation(v *request) (*screen, error) {
	q := invitation(v.r.URL.Query())
	if q == "" {
		v.w.Header().Set("Allow", http.MethodPost)
		return nil, &refused{netkit.NewProblem(http.StatusMethodNotAllowed, code.MethodNotAllowed, "this address spawns an agent and takes only POST", "open /admin/agent-setup in a browser")}
	}
	return &screen{goTo: "/admin/agent-setup" + q}, nil
}

func (p *Pages) stepClaims(v *request) (string, error) {
	floor, err := v.credits("attention_floor_price")
	if err != nil {
		return "", err
	}
	in := netkit.Claims{PreferredLLMProvider: v.field("preferred_llm_provider"), AcceptsAttentionRequests: v.field("accepts_attention_requests") != "",
		AttentionFloorPrice: floor, CapabilityStatement: v.field("capability_statement")}
	if err := pick("niche", v.field("niche"), &in.Niche, nil); err != nil {
		return "", err
	}
	if in.Niche == netkit.NoNiche { // the page asks for one; an empty form must not take all claims back
		return "", &netkit.Refusal{Kind: netkit.ErrInvalid, Code: code.NicheMissing, Field: "niche", What: "is required", Next: "choose one of the list"}
	}
	return "Your claims are declared. They are shown apart from what the network verified.", p.call(v, catalog.SetClaims, in, nil)
}

func (p *Pages) stepChannels(v *request) (string, error) {
	in := netkit.SetChannels{Channels: []netkit.Niche{}}
	for _, text := range v.r.PostForm["channels"] {
		var n netkit.Niche
		if err := pick("channels", text, &n, nil); err != nil {
			return "", err
		}
		in.Channels = append(in.Channels, n)
	}
	return "You are subscribed. Channels filter what you hear and gate nothing.", p.call(v, catalog.SetChannels, in, nil)
}

func (p *Pages) stepConstitution(v *request) (string, error) {
	var in netkit.AcceptConstitution
	if err := pick("sha256", v.field("sha256"), &in.SHA256, nil); err != nil {
		return "", err
	}
	return "You accepted the constitution; your profile says which version.", p.call(v, catalog.AcceptConstitution, in, nil)
}

func (p *Pages) stepContract(v *request) (string, error) {
	id, err := strconv.ParseUint(v.field("campaign_id"), 10, 64)
	if err != nil {
		return "", &netkit.Refusal{Kind: netkit.ErrInvalid, Code: code.ContractMissing, Field: "campaign_id", What: "names no contract", Next: "choose one of the list"}
	}
	var done netkit.Execution
	if err := p.call(v, catalog.ExecuteContract, signalOf(v, id), &done); err != nil {
		return "", err
	}
	return paid(done), nil
}

// stepKey declares or confirms the address of a key that the browser made. A
// script asks, since only it can sign: the private key never comes here.
func (p *Pages) stepKey(v *request, id string) (*screen, error) {
	if id == "key" {
		var out netkit.WalletChallenge
		if err := p.call(v, catalog.DeclareWallet, netkit.DeclareWallet{Address: v.field("address")}, &out); err != nil {
			return nil, err
		}
		return &screen{json: out}, nil
	}
	var out netkit.WalletReceipt
	in := netkit.ConfirmWallet{Address: v.field("address"), Challenge: v.r.PostForm.Get("challenge"), Signature: v.field("signature")}
	if err := p.call(v, catalog.ConfirmWallet, in, &out); err != nil {
		return nil, err
	}
	return &screen{json: out}, nil
}
