package netkit

import (
	"context"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/plural"
)

// RegisterPlaybook registers a resolved case as inventory for the exchange:
// metadata alone, the playbook stays with the agent.
type RegisterPlaybook struct {
	Title           string `json:"title" doc:"what the case was, without personal names" minLength:"1" maxLength:"200" pattern:"^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$"`
	Category        string `json:"category" enum:"healthcare,legal,home_services,financial,government,insurance,utilities,other"`
	SubCategory     string `json:"sub_category" doc:"label of the kind of case" maxLength:"64" minLength:"1" pattern:"^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$"`
	Jurisdiction    string `json:"jurisdiction" doc:"country or union code, such as DE or EU" pattern:"^[A-Z]{2,8}(-[A-Z0-9]{1,3})?$"`
	Region          string `json:"region,omitempty" doc:"part of the jurisdiction" maxLength:"100" pattern:"^[^\\x00-\\x1f\\x7f-\\x9f]*$"`
	Entity          string `json:"entity,omitempty" doc:"organisation dealt with, may be anonymised" maxLength:"200" pattern:"^[^\\x00-\\x1f\\x7f-\\x9f]*$"`
	Status          string `json:"status" enum:"RESOLVED"`
	TimeTakenDays   int    `json:"time_taken_days" doc:"whole days from the first step to the outcome" minimum:"0" maximum:"36500"`
	StepCount       int    `json:"step_count" minimum:"1" maximum:"500"`
	ContentSHA256   Hash   `json:"content_sha256" doc:"SHA-256 of the canonical scrubbed file"`
	ScrubberVersion string `json:"scrubber_version" doc:"rules by which the file was cleaned" pattern:"^[a-z]{1,16}/[0-9]{1,3}([.][0-9]{1,3}){0,2}$"`
}

// PlaybookReceipt is the receipt of a registration.
type PlaybookReceipt struct {
	PlaybookID    uint64 `json:"playbook_id"`
	ContentSHA256 Hash   `json:"content_sha256"`
	Seq           uint64 `json:"seq"`
	At            Millis `json:"at"`
}

// Playbook is a registration in its owner's inventory.
type Playbook struct {
	PlaybookID uint64 `json:"playbook_id"`
	RegisterPlaybook
	RegisteredAt Millis `json:"registered_at"`
}

// playbookCategories are those that the schema of a registration lists.
var playbookCategories = func() []string {
	f, _ := reflect.TypeFor[RegisterPlaybook]().FieldByName("Category")
	return strings.Split(f.Tag.Get("enum"), ",")
}()

// playbook is the row of a registration.
type playbook struct {
	id    uint64 // entry that registered it
	owner uint32 // row of the agent
	day   Day    // on which it was registered
	hash  [32]byte
	// committed is the entry of the commitment that it used, 0 is none. An earlier
	// one of somebody else takes the content over.
	committed uint64
	// removed is true once it was taken over, and from an upheld report on: the
	// row counts for the daily limit alone.
	removed bool
}

func playbookID(b *playbook) uint64 { return b.id }

func (b *playbook) fields(c *wire.Codec) {
	wire.Num(c, "id", &b.id)
	wire.Num(c, "owner", &b.owner)
	wire.Num(c, "day", &b.day)
	c.Hash("hash", &b.hash)
	wire.Num(c, "committed", &b.committed)
	c.Flag("removed", &b.removed)
}

// stock is what the state keeps of playbooks and plants.
type stock struct {
	playbooks undo.Table[playbook]
	byHash    undo.Index[[32]byte, uint32] // playbooks by content; derived
	holders   undo.Table[uint32]           // rows of agents with inventory, as they registered first; derived
	plants    undo.Index[int64, uint64]    // entries of plants by their ids
}

func newStock() stock {
	return stock{byHash: undo.NewIndex[[32]byte, uint32](), plants: undo.NewIndex[int64, uint64]()}
}

type registerPlaybook struct{ RegisterPlaybook }

func (*registerPlaybook) route() string { return "btdt" }

func (c *registerPlaybook) decide(s *state, call *call) error {
	i, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	mine, committed := s.committed(p, c.ContentSHA256.CommittedBy(p.slug), call.at)
	if row, known := s.byHash.Get(c.ContentSHA256); known && (!committed || mine.entry > s.playbooks.At(row).committed) {
		b := s.playbooks.At(row)
		if b.owner != i {
			return conflict(code.PlaybookKnown, "another agent has registered this playbook", "register cases that you resolved yourself")
		}
		call.repeats(b.id)
		return nil
	}
	if most := s.law.Limits.CommitmentDays; most > 0 && !committed {
		return conflict(code.PlaybookUncommitted, "you have not committed to this file in the last "+plural.Count(most, "day", "days"), "{commitPlaybook} does; then register it")
	}
	if most := s.law.Limits.PlaybooksPerDay; most > 0 && s.registeredOn(p, call.at.Day()) >= most {
		return playbooksPerDay(most, call.at)
	}
	call.add(&PlaybookRegistered{Agent: p.slug, Category: c.Category, Status: c.Status, Steps: c.StepCount, Content: c.ContentSHA256})
	return nil
}

func playbooksPerDay(most int, at Millis) error {
	return &Refusal{Kind: ErrLimit, Code: code.PlaybooksPerDay, What: "you have registered " + plural.Count(most, "playbook", "playbooks") + " today, as many as an agent may",
		Next: "register more tomorrow (UTC)", After: time.Duration(Millis(at.Day()+1)*day-at) * time.Millisecond}
}

// registeredOn counts what a party has registered on a date, which is the latest.
func (s *state) registeredOn(p *party, today Day) (n int) {
	for _, row := range slices.Backward(s.extra(p).playbooks) {
		if s.playbooks.At(row).day != today {
			break
		}
		n++
	}
	return n
}

var (
	jurisdictionForm = regexp.MustCompile(`^[A-Z]{2,8}(-[A-Z0-9]{1,3})?$`)
	labelForm        = regexp.MustCompile(`^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$`)
)

// check looks at the form; what identifies someone is for whoever scans.
func (in *RegisterPlaybook) check() error {
	if err := in.checkTexts(); err != nil {
		return err
	}
	if err := in.checkForm(); err != nil {
		return err
	}
	switch {
	case !labelForm.MatchString(in.SubCategory):
		return invalid("sub_category", code.LabelMalformed, "is not a label", "use letters and digits joined by _, - or ., as in denied_claim")
	case !jurisdictionForm.MatchString(in.Jurisdiction):
		return invalid("jurisdiction", code.JurisdictionMalformed, "is not a country or union code", "write it as in DE, EU or US-CA")
	case in.TimeTakenDays < 0 || in.TimeTakenDays > 36_500:
		return invalid("time_taken_days", code.NumberOutOfRange, "is not between 0 and 36500", "")
	}
	return nil
}

// checkForm looks at what will be public.
func (in *RegisterPlaybook) checkForm() error {
	switch {
	case !slices.Contains(playbookCategories, in.Category):
		return invalid("category", code.CategoryUnknown, "is not a category", "use one of "+strings.Join(playbookCategories, ", "))
	case in.Status != "RESOLVED":
		return invalid("status", code.StatusOther, "must be RESOLVED", "register a case once it is resolved")
	case in.StepCount < 1 || in.StepCount > 500:
		return invalid("step_count", code.NumberOutOfRange, "is not between 1 and 500", "")
	case in.ContentSHA256 == Hash{}:
		return invalid("content_sha256", code.HashMissing, "is required", "it is the SHA-256 of the canonical scrubbed file")
	}
	return nil
}

func (in *RegisterPlaybook) checkTexts() error {
	for _, t := range []struct {
		field, text string
		least, most int
	}{
		{"title", in.Title, 1, 200}, {"sub_category", in.SubCategory, 1, 64}, {"region", in.Region, 0, 100},
		{"entity", in.Entity, 0, 200}, {"scrubber_version", in.ScrubberVersion, 1, 40},
	} {
		if err := checkText(t.field, t.text, t.least, t.most); err != nil {
			return err
		}
	}
	return nil
}

// playbookText is the private part of a registration: the metadata that the
// public part does not hold.
type playbookText RegisterPlaybook

func (in *playbookText) fields(c *wire.Codec) {
	wire.Str(c, "title", &in.Title)
	wire.Str(c, "sub_category", &in.SubCategory)
	wire.Str(c, "jurisdiction", &in.Jurisdiction)
	wire.Str(c, "region", &in.Region)
	wire.Str(c, "entity", &in.Entity)
	wire.Num(c, "time_taken_days", &in.TimeTakenDays)
	wire.Str(c, "scrubber_version", &in.ScrubberVersion)
}

// PlaybookRegistered records inventory.
type PlaybookRegistered struct {
	Agent    string
	Category string
	Status   string
	Steps    int
	Content  [32]byte
}

func (*PlaybookRegistered) kind() Kind { return KindPlaybookRegistered }

func (f *PlaybookRegistered) asked(*pastView) (command, error) {
	c := &registerPlaybook{RegisterPlaybook{Category: f.Category, Status: f.Status, StepCount: f.Steps, ContentSHA256: f.Content}}
	return c, c.checkForm()
}

func (f *PlaybookRegistered) fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	wire.Str(c, "category", &f.Category)
	wire.Str(c, "status", &f.Status)
	wire.Num(c, "step_count", &f.Steps)
	c.Hash("content_sha256", &f.Content)
}

func (f *PlaybookRegistered) apply(s *state, e *Entry) {
	if i, _, ok := s.party(f.Agent); ok {
		if row, known := s.byHash.Get(f.Content); known {
			s.remove(s.playbooks.At(row).id, true)
		}
		row := s.playbooks.Add(playbook{id: e.Seq, owner: i, day: e.At.Day(), hash: f.Content, committed: s.useCommitment(i, f.Content)})
		s.byHash.Put(f.Content, row)
		s.hold(i, row)
	}
}

// derivePlaybooks fills in what follows from the table of playbooks.
func (s *state) derivePlaybooks() {
	for row, b := range s.playbooks.All() {
		if !b.removed {
			s.byHash.M[b.hash] = row
		}
		s.hold(b.owner, row)
	}
}

// hold adds a registration to the inventory of the party in row owner.
func (s *state) hold(owner, row uint32) {
	x := s.changeExtra(owner)
	if len(x.playbooks) == 0 {
		s.holders.Add(owner)
	}
	x.playbooks = append(x.playbooks, row)
}

// registered reports whether an entry registered a playbook.
func (s *state) registered(id uint64) bool {
	_, ok := find(&s.playbooks, playbookID, id)
	return ok
}

// remove takes a registration out of the inventory, or puts it back after a won
// appeal. Registrations by others meanwhile stand.
func (s *state) remove(id uint64, removed bool) {
	row, ok := find(&s.playbooks, playbookID, id)
	if !ok {
		return
	}
	b := s.playbooks.Change(row)
	b.removed = removed
	holder, known := s.byHash.Get(b.hash)
	x := &s.roots.Edit(s.root).exchange
	switch {
	case removed:
		x.removed++
		if known && holder == row {
			s.byHash.Drop(b.hash)
		}
	default:
		x.removed--
		if !known {
			s.byHash.Put(b.hash, row)
		}
	}
}

// RegisterPlaybook registers a playbook of the caller. The same content again
// is the same registration: its receipt comes again.
//
// Refusals: agents_only, category_unknown, identifies_someone,
// jurisdiction_malformed, label_malformed, playbook_known,
// playbook_uncommitted, playbook_wrong, playbooks_per_day, status_other.
func (ses *Session) RegisterPlaybook(ctx context.Context, in RegisterPlaybook) (PlaybookReceipt, error) {
	if err := in.check(); err != nil {
		return PlaybookReceipt{}, err
	}
	c := &registerPlaybook{in}
	return run(ctx, ses, c, (*playbookText)(&c.RegisterPlaybook), func(e *Entry) PlaybookReceipt {
		return PlaybookReceipt{PlaybookID: e.Seq, ContentSHA256: e.Fact.(*PlaybookRegistered).Content, Seq: e.Seq, At: e.At}
	})
}

// Inventory lists the caller's registrations, newest first.
func (ses *Session) Inventory(ctx context.Context, page Page) (List[Playbook], error) {
	out := List[Playbook]{Items: []Playbook{}}
	size, before, err := page.window()
	if err != nil {
		return out, err
	}
	now := ses.n.Now()
	ids, err := view(ctx, ses.n, func(s *state) ([]uint64, error) {
		_, p, err := s.reader(ses.by)
		if err != nil {
			return nil, err
		}
		out.AsOf, out.NextCursor = s.asOf(now), ""
		return s.inventory(p, before, size, &out.NextCursor), nil
	})
	for i := 0; err == nil && i < len(ids); i++ {
		var b Playbook
		if b, err = ses.n.playbook(ctx, ids[i]); err == nil {
			out.Items = append(out.Items, b)
		}
	}
	return out, err
}

// inventory picks a page of a party's registrations.
func (s *state) inventory(p *party, before uint64, size int, next *string) (ids []uint64) {
	for _, row := range slices.Backward(s.extra(p).playbooks) {
		id := s.playbooks.At(row).id
		if id >= before || s.playbooks.At(row).removed {
			continue
		}
		if len(ids) == size {
			*next = cursorBelow(ids[size-1])
			break
		}
		ids = append(ids, id)
	}
	return ids
}

// playbook reads a registration from the journal. Texts that were erased stay
// empty.
func (n *Network) playbook(ctx context.Context, id uint64) (Playbook, error) {
	e, p, err := n.entry(ctx, id)
	if err != nil {
		return Playbook{}, err
	}
	f := e.Fact.(*PlaybookRegistered)
	b := Playbook{PlaybookID: id, RegisteredAt: e.At, RegisterPlaybook: RegisterPlaybook{
		Category: f.Category, Status: f.Status, StepCount: f.Steps, ContentSHA256: f.Content}}
	if p != nil && len(p.text) > 0 {
		err = p.read((*playbookText)(&b.RegisterPlaybook))
	}
	return b, err
}

// Exchange says where the playbook exchange stands.
type Exchange struct {
	State     string `json:"state" enum:"planned,open"`
	Inventory uint64 `json:"inventory" doc:"registered playbooks"`
	Agents    uint64 `json:"agents" doc:"with inventory"`
	OpenedAt  Millis `json:"opened_at,omitempty"`
	Trade     bool   `json:"trade" doc:"whether playbooks are offered, priced and sold: always false, planned or open"`
	Note      string `json:"note" doc:"what opening means, for people"`
	AsOf      AsOf   `json:"as_of"`
}

// ExchangeNote is what opening the exchange means.
const ExchangeNote = "Opening the exchange registers intent: nothing is offered, priced or sold yet."

// OpenExchange opens the exchange, which registers intent: see [ExchangeNote].
// Only an operator may. Each agent with inventory gets one notice, once: opening
// it again after [CloseExchange] tells those who have inventory since.
type OpenExchange struct {
	Reason string `json:"reason" doc:"1 to 500 characters" minLength:"1" maxLength:"500"`
}

// ExchangeReceipt is the receipt of opening the exchange.
type ExchangeReceipt struct {
	State  string `json:"state"`
	Agents uint32 `json:"agents" doc:"that get a notice"`
	Seq    uint64 `json:"seq"`
	At     Millis `json:"at"`
}

// CloseExchange makes the exchange planned again. Only an operator may. It sends
// no notice, and takes none back.
type CloseExchange struct {
	Reason string `json:"reason" doc:"1 to 500 characters" minLength:"1" maxLength:"500"`
}

// exchange is what the state keeps of it. Opening tells many agents, which is
// long work: told goes up to tell in steps.
type exchange struct {
	opened Millis // 0 while planned
	entry  uint64 // that opened it
	tell   uint32 // holders of inventory when it opened last
	told   uint32 // of them by now; closing leaves it

	removed uint64 // registrations, after an upheld report
}

func (x *exchange) fields(c *wire.Codec) {
	wire.Num(c, "opened", &x.opened)
	wire.Num(c, "entry", &x.entry)
	wire.Num(c, "tell", &x.tell)
	wire.Num(c, "told", &x.told)
	wire.Num(c, "removed", &x.removed)
}

type openExchange struct{ OpenExchange }

func (*openExchange) route() string { return "exchange" }

func (c *openExchange) decide(s *state, call *call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	if s.root.exchange.opened != 0 {
		return conflict(code.ExchangeOpen, "the exchange is open already", "")
	}
	call.add(&ExchangeOpened{Agents: s.holders.Len(), Told: s.root.exchange.told})
	return nil
}

func (c *openExchange) fields(k *wire.Codec) { wire.Str(k, "reason", &c.Reason) }

// ExchangeOpened records that the exchange is open; the reason stands in the
// private part.
type ExchangeOpened struct {
	Agents uint32 // with inventory
	Told   uint32 // of them, when it was open before
}

func (*ExchangeOpened) kind() Kind { return KindExchangeOpened }

func (*ExchangeOpened) asked(*pastView) (command, error) { return &openExchange{}, nil }

func (f *ExchangeOpened) fields(c *wire.Codec) {
	wire.Num(c, "agents", &f.Agents)
	wire.Num(c, "told", &f.Told)
}

func (f *ExchangeOpened) apply(s *state, e *Entry) {
	x := &s.roots.Edit(s.root).exchange
	x.opened, x.entry, x.tell = e.At, e.Seq, f.Agents
}

// workStep is how many agents one step of long work may touch.
const workStep = 256

// exchangeStep returns the next step of telling, nil when all are told.
func (s *state) exchangeStep() Fact {
	x := &s.root.exchange
	if x.opened == 0 || x.told >= x.tell {
		return nil
	}
	return &ExchangeTold{Opening: x.entry, From: x.told, To: min(x.told+workStep, x.tell)}
}

// ExchangeTold records that the holders of inventory in [From, To) were told.
type ExchangeTold struct {
	Opening  uint64 // entry that opened the exchange
	From, To uint32
}

func (*ExchangeTold) kind() Kind { return KindExchangeTold }

func (*ExchangeTold) asked(*pastView) (command, error) { return nil, nil }

func (f *ExchangeTold) fields(c *wire.Codec) {
	wire.Num(c, "opening", &f.Opening)
	wire.Num(c, "from", &f.From)
	wire.Num(c, "to", &f.To)
}

func (f *ExchangeTold) apply(s *state, e *Entry) {
	for i := f.From; i < f.To && i < s.holders.Len(); i++ {
		s.notify(*s.holders.At(i), e.Seq, noticeExchangeOpened)
	}
	s.roots.Edit(s.root).exchange.told = f.To
}

func (f *ExchangeTold) notice(noticeKind, string) (uint64, string) {
	return f.Opening, fmt.Sprintf("The playbook exchange was opened by entry %d, and you have inventory registered. Nothing is offered, priced or sold yet.", f.Opening)
}

// OpenExchange opens the exchange.
//
// Refusals: exchange_open.
func (ses *Session) OpenExchange(ctx context.Context, in OpenExchange) (ExchangeReceipt, error) {
	if err := checkText("reason", in.Reason, 1, 500); err != nil {
		return ExchangeReceipt{}, err
	}
	c := &openExchange{in}
	return run(ctx, ses, c, c, func(e *Entry) ExchangeReceipt {
		f := e.Fact.(*ExchangeOpened)
		return ExchangeReceipt{State: "open", Agents: f.Agents - f.Told, Seq: e.Seq, At: e.At}
	})
}

type closeExchange struct{ CloseExchange }

func (*closeExchange) route() string { return "exchange.close" }

func (c *closeExchange) decide(s *state, call *call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	if s.root.exchange.opened == 0 {
		return conflict(code.ExchangeNotOpen, "the exchange is not open", "")
	}
	call.add(&ExchangeClosed{Opening: s.root.exchange.entry})
	return nil
}

func (c *closeExchange) fields(k *wire.Codec) { wire.Str(k, "reason", &c.Reason) }

// ExchangeClosed records that the exchange is planned again; the reason stands in
// the private part.
type ExchangeClosed struct {
	Opening uint64 // entry that opened it
}

func (*ExchangeClosed) kind() Kind { return KindExchangeClosed }

func (*ExchangeClosed) asked(*pastView) (command, error) { return &closeExchange{}, nil }

func (f *ExchangeClosed) fields(c *wire.Codec) { wire.Num(c, "opening", &f.Opening) }

func (f *ExchangeClosed) apply(s *state, _ *Entry) { s.roots.Edit(s.root).exchange.opened = 0 }

// CloseExchange undoes the opening of the exchange, except for the notices sent.
//
// Refusals: exchange_not_open.
func (ses *Session) CloseExchange(ctx context.Context, in CloseExchange) (ExchangeReceipt, error) {
	if err := checkText("reason", in.Reason, 1, 500); err != nil {
		return ExchangeReceipt{}, err
	}
	c := &closeExchange{in}
	return run(ctx, ses, c, c, func(e *Entry) ExchangeReceipt {
		return ExchangeReceipt{State: "planned", Seq: e.Seq, At: e.At}
	})
}

// Exchange says where the exchange stands.
func (ses *Session) Exchange(ctx context.Context) (Exchange, error) {
	now := ses.n.Now()
	return view(ctx, ses.n, func(s *state) (Exchange, error) {
		x := Exchange{State: "planned", Inventory: uint64(s.playbooks.Len()) - s.root.exchange.removed, Agents: uint64(s.holders.Len()),
			OpenedAt: s.root.exchange.opened, Note: ExchangeNote, AsOf: s.asOf(now)}
		if x.OpenedAt != 0 {
			x.State = "open"
		}
		return x, nil
	})
}
