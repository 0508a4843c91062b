package netkit

import (
	"context"
	"regexp"
	"slices"
)

// RegisterPlaybook registers a resolved case as inventory for the exchange:
// metadata alone, the playbook stays with the agent.
type RegisterPlaybook struct {
	Title           string `json:"title" doc:"what the case was, without personal names" maxLength:"200"`
	Category        string `json:"category" enum:"healthcare,legal,home_services,financial,government,insurance,utilities,other"`
	SubCategory     string `json:"sub_category" doc:"label of the kind of case" maxLength:"64"`
	Jurisdiction    string `json:"jurisdiction" doc:"country or union code, such as DE or EU"`
	Region          string `json:"region,omitempty" doc:"part of the jurisdiction" maxLength:"100"`
	Entity          string `json:"entity,omitempty" doc:"organisation dealt with, may be anonymised" maxLength:"200"`
	Status          string `json:"status" enum:"RESOLVED"`
	TimeTakenDays   int    `json:"time_taken_days" doc:"whole days from the first step to the outcome" minimum:"0" maximum:"36500"`
	StepCount       int    `json:"step_count" minimum:"1" maximum:"500"`
	ContentSHA256   Hash   `json:"content_sha256" doc:"SHA-256 of the canonical scrubbed file"`
	ScrubberVersion string `json:"scrubber_version" doc:"rules by which the file was cleaned"`
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

var playbookCategories = []string{"healthcare", "legal", "home_services", "financial", "government", "insurance", "utilities", "other"}

// playbook is the row of a registration.
type playbook struct {
	id    uint64 // entry that registered it
	owner uint32 // row of the agent
	hash  [32]byte
}

func (b *playbook) fields(c *codec) {
	num(c, "id", &b.id)
	num(c, "owner", &b.owner)
	c.hash("hash", &b.hash)
}

// stock is what the state keeps of playbooks and plants.
type stock struct {
	playbooks table[playbook]
	byHash    index[[32]byte, uint32] // playbooks by content; derived
	holders   table[uint32]           // rows of agents with inventory, as they registered first; derived
	plants    index[int64, uint64]    // entries of plants by their ids
}

func newStock() stock {
	return stock{byHash: newIndex[[32]byte, uint32](), plants: newIndex[int64, uint64]()}
}

type registerPlaybook struct {
	RegisterPlaybook
	again uint64 // the entry of the same registration, made before
}

func (*registerPlaybook) route() string { return "btdt" }

func (c *registerPlaybook) decide(s *state, call *call) error {
	i, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	if row, known := s.byHash.get(c.ContentSHA256); known {
		b := s.playbooks.at(row)
		if b.owner != i {
			return conflict("playbook_known", "another agent has registered this playbook", "register cases that you resolved yourself")
		}
		c.again = b.id
		return nil
	}
	call.add(&playbookRegistered{Agent: p.slug, Category: c.Category, Status: c.Status, Steps: c.StepCount, Content: c.ContentSHA256})
	return nil
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
		return invalid("sub_category", "label_malformed", "is not a label", "use letters and digits joined by _, - or ., as in denied_claim")
	case !jurisdictionForm.MatchString(in.Jurisdiction):
		return invalid("jurisdiction", "jurisdiction_malformed", "is not a country or union code", "write it as in DE, EU or US-CA")
	case in.TimeTakenDays < 0 || in.TimeTakenDays > 36_500:
		return invalid("time_taken_days", "number_out_of_range", "is not between 0 and 36500", "")
	}
	return nil
}

// checkForm looks at what will be public.
func (in *RegisterPlaybook) checkForm() error {
	switch {
	case !slices.Contains(playbookCategories, in.Category):
		return invalid("category", "category_unknown", "is not a category", "use healthcare, legal, home_services, financial, government, insurance, utilities or other")
	case in.Status != "RESOLVED":
		return invalid("status", "status_other", "must be RESOLVED", "register a case once it is resolved")
	case in.StepCount < 1 || in.StepCount > 500:
		return invalid("step_count", "number_out_of_range", "is not between 1 and 500", "")
	case in.ContentSHA256 == Hash{}:
		return invalid("content_sha256", "hash_missing", "is required", "it is the SHA-256 of the canonical scrubbed file")
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

// fields carries the private part: what the public part does not hold.
func (in *RegisterPlaybook) fields(c *codec) {
	str(c, "title", &in.Title)
	str(c, "sub_category", &in.SubCategory)
	str(c, "jurisdiction", &in.Jurisdiction)
	str(c, "region", &in.Region)
	str(c, "entity", &in.Entity)
	num(c, "time_taken_days", &in.TimeTakenDays)
	str(c, "scrubber_version", &in.ScrubberVersion)
}

// playbookRegistered records inventory.
type playbookRegistered struct {
	Agent    string
	Category string
	Status   string
	Steps    int
	Content  [32]byte
}

func (*playbookRegistered) kind() Kind { return "playbook.registered" }

func (f *playbookRegistered) asked(*hindsight) (command, error) {
	c := &registerPlaybook{RegisterPlaybook: RegisterPlaybook{Category: f.Category, Status: f.Status, StepCount: f.Steps, ContentSHA256: f.Content}}
	return c, c.checkForm()
}

func (f *playbookRegistered) fields(c *codec) {
	str(c, "agent", &f.Agent)
	str(c, "category", &f.Category)
	str(c, "status", &f.Status)
	num(c, "step_count", &f.Steps)
	c.hash("content_sha256", &f.Content)
}

func (f *playbookRegistered) apply(s *state, e *Entry) {
	if i, _, ok := s.party(f.Agent); ok {
		row := s.playbooks.add(playbook{e.Seq, i, f.Content})
		s.byHash.put(f.Content, row)
		s.hold(i, row)
	}
}

// derivePlaybooks fills in what follows from the table of playbooks.
func (s *state) derivePlaybooks() {
	for row, b := range s.playbooks.all() {
		s.byHash.m[b.hash] = row
		s.hold(b.owner, row)
	}
}

// hold adds a registration to the inventory of the party in row owner.
func (s *state) hold(owner, row uint32) {
	x := s.changeExtra(owner)
	if len(x.playbooks) == 0 {
		s.holders.add(owner)
	}
	x.playbooks = append(x.playbooks, row)
}

// RegisterPlaybook registers a playbook of the caller. The same content again
// is the same registration: its receipt comes again.
func (n *Network) RegisterPlaybook(ctx context.Context, by Caller, in RegisterPlaybook) (PlaybookReceipt, error) {
	if err := in.check(); err != nil {
		return PlaybookReceipt{}, err
	}
	c := &registerPlaybook{RegisterPlaybook: in}
	receipt := func(e *Entry) PlaybookReceipt {
		if e == nil {
			return PlaybookReceipt{}
		}
		return PlaybookReceipt{PlaybookID: e.Seq, ContentSHA256: e.Fact.(*playbookRegistered).Content, Seq: e.Seq, At: e.At}
	}
	out, err := run(ctx, n, by, c, c, receipt)
	if err != nil || c.again == 0 {
		return out, err
	}
	e, err := n.Entry(ctx, c.again)
	if err != nil {
		return PlaybookReceipt{}, err
	}
	return receipt(e), nil
}

// Inventory lists the caller's registrations, newest first.
func (n *Network) Inventory(ctx context.Context, by Caller, page Page) (List[Playbook], error) {
	out := List[Playbook]{Items: []Playbook{}}
	size, before, err := page.window()
	if err != nil {
		return out, err
	}
	now := n.Now()
	ids, err := view(ctx, n, func(s *state) ([]uint64, error) {
		_, p, err := s.reader(by)
		if err != nil {
			return nil, err
		}
		out.AsOf, out.NextCursor = s.asOf(now), ""
		return s.inventory(p, before, size, &out.NextCursor), nil
	})
	for i := 0; err == nil && i < len(ids); i++ {
		var b Playbook
		if b, err = n.playbook(ctx, ids[i]); err == nil {
			out.Items = append(out.Items, b)
		}
	}
	return out, err
}

// inventory picks a page of a party's registrations.
func (s *state) inventory(p *party, before uint64, size int, next *string) (ids []uint64) {
	for _, row := range slices.Backward(s.extra(p).playbooks) {
		id := s.playbooks.at(row).id
		if id >= before {
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
	f := e.Fact.(*playbookRegistered)
	b := Playbook{PlaybookID: id, RegisteredAt: e.At, RegisterPlaybook: RegisterPlaybook{
		Category: f.Category, Status: f.Status, StepCount: f.Steps, ContentSHA256: f.Content}}
	if p != nil && len(p.text) > 0 {
		err = p.read(&b.RegisterPlaybook)
	}
	return b, err
}
