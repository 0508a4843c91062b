package btdt

import "github.com/agentnet/netctl/netkit"

// StatusResolved is the only status a playbook can have: open cases are not filed.
const StatusResolved = netkit.PlaybookResolved

// Limits of a playbook. Lengths count code points after NFC, so that a letter
// counts once however its accent was typed. They are generous for prose and
// still keep a whole file far below MaxFileBytes.
const (
	MaxFileBytes = 10 << 20 // bytes of the file as it is read

	MaxTitle       = netkit.MaxPlaybookTitle
	MaxSubCategory = netkit.MaxPlaybookSubCategory
	MaxRegion      = netkit.MaxPlaybookRegion
	MaxEntity      = netkit.MaxPlaybookEntity
	MaxOutcome     = 1000

	MaxSteps    = netkit.MaxPlaybookSteps
	MaxStep     = 4000
	MaxListed   = 100 // entries of key_contacts, legal_levers and what_failed, each
	MaxListItem = 1000

	MaxDays = netkit.MaxPlaybookDays
)

// categories holds the values of category in the order of the specification.
var categories = netkit.PlaybookCategories()

// Playbook is one resolved case, field by field in the order of its canonical
// form. It holds no names, case numbers or other data that identifies a person.
//
// Steps must be a list. The format leaves open whether key_contacts,
// legal_levers and what_failed are texts or lists: a file may use either, and a
// single text is read as a list of one.
type Playbook struct {
	Title         string   `json:"title"`
	Category      string   `json:"category"`
	SubCategory   string   `json:"sub_category"`
	Jurisdiction  string   `json:"jurisdiction"` // country or union code: US, DE, EU
	Region        string   `json:"region"`       // may be empty: a case of the whole jurisdiction
	Entity        string   `json:"entity"`       // organisation dealt with, may be anonymised or empty
	Status        string   `json:"status"`
	Outcome       string   `json:"outcome"` // one sentence
	Steps         []string `json:"steps"`   // in order, at least one
	KeyContacts   []string `json:"key_contacts"`
	LegalLevers   []string `json:"legal_levers"`
	TimeTakenDays int      `json:"time_taken_days"`
	WhatFailed    []string `json:"what_failed"`
}

// textField is a field of one text, with the rules that its text obeys.
type textField struct {
	name     string
	required bool
	max      int // code points; 0 where the form check bounds the length
	at       func(*Playbook) *string
	form     func(string) (what, todo string) // what is empty when the form is right
}

// listField is a field of several texts.
type listField struct {
	name     string
	required bool // the list must hold at least one text
	lenient  bool // a single text counts as a list of one
	items    int
	max      int // code points of each text
	at       func(*Playbook) *[]string
}

// daysField is the one field that holds a number.
const daysField = "time_taken_days"

// The two tables drive reading, validation and checking alike, so that a field
// cannot be read by one and forgotten by another.
var textFields = []textField{
	{"title", true, MaxTitle, func(p *Playbook) *string { return &p.Title }, oneLine},
	{"category", true, 0, func(p *Playbook) *string { return &p.Category }, category},
	{"sub_category", true, MaxSubCategory, func(p *Playbook) *string { return &p.SubCategory }, label},
	{"jurisdiction", true, 0, func(p *Playbook) *string { return &p.Jurisdiction }, jurisdiction},
	{"region", false, MaxRegion, func(p *Playbook) *string { return &p.Region }, oneLine},
	{"entity", false, MaxEntity, func(p *Playbook) *string { return &p.Entity }, oneLine},
	{"status", true, 0, func(p *Playbook) *string { return &p.Status }, status},
	{"outcome", true, MaxOutcome, func(p *Playbook) *string { return &p.Outcome }, oneLine},
}

var listFields = []listField{
	{"steps", true, false, MaxSteps, MaxStep, func(p *Playbook) *[]string { return &p.Steps }},
	{"key_contacts", false, true, MaxListed, MaxListItem, func(p *Playbook) *[]string { return &p.KeyContacts }},
	{"legal_levers", false, true, MaxListed, MaxListItem, func(p *Playbook) *[]string { return &p.LegalLevers }},
	{"what_failed", false, true, MaxListed, MaxListItem, func(p *Playbook) *[]string { return &p.WhatFailed }},
}
