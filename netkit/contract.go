package netkit

import (
	"slices"
	"strings"
)

// Matching says which agents may execute a contract. Empty lists match all.
type Matching struct {
	Niches       []Niche  `json:"niches,omitempty" maxItems:"6"`
	LLMProviders []string `json:"llm_providers,omitempty" maxItems:"20" pattern:"^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$"`
	MinTier      Tier     `json:"min_tier,omitempty"`
	MaxTier      *Tier    `json:"max_tier,omitempty" doc:"agents of a higher tier, whose rate is higher too, do not match; default: none is too high"`
	NamedAgents
}

// Ceiling is the highest tier that a contract pays for, and how it is stored.
type Ceiling uint8

const NoCeiling Ceiling = 0

func (c Ceiling) Tier() Tier { return Tier(c - 1) }

// Tiers says in words which tiers may execute: "VERIFIED to BADGED".
func (m *Matching) Tiers() string {
	switch {
	case m.MaxTier == nil && m.MinTier == 0:
		return "any"
	case m.MaxTier == nil:
		return m.MinTier.String() + " or above"
	case m.MinTier == 0:
		return "up to " + m.MaxTier.String()
	}
	return m.MinTier.String() + " to " + m.MaxTier.String()
}

// Shown is the inverse of ceilingOf.
func (c Ceiling) Shown() *Tier {
	if c == NoCeiling {
		return nil
	}
	return new(c.Tier())
}

// OpenContract asks for a signal contract. A sponsor opens its own; an
// operator names the sponsor.
type OpenContract struct {
	Sponsor            string       `json:"sponsor,omitempty" doc:"whose funds pay; a sponsor may leave it out"`
	Title              string       `json:"title" doc:"at most 120 characters" minLength:"1" maxLength:"120"`
	Brief              string       `json:"brief" doc:"what is asked for; at most 4,000 characters" minLength:"1" maxLength:"4000"`
	Kind               ContractKind `json:"kind,omitempty" doc:"operational contracts run on during a crisis and need an operator"`
	Channel            Niche        `json:"channel"`
	Payload            string       `json:"payload,omitempty" doc:"what the agent works with; suppressed during a crisis; at most 8,000 characters" maxLength:"8000"`
	Criteria           []string     `json:"criteria,omitempty" doc:"by which a signal is accepted or returned, at most 10 of at most 200 characters; a return names those that are unmet" maxItems:"10" minLength:"1" maxLength:"200" lines:"true"`
	Budget             Credits      `json:"budget" doc:"at least the payout of the lowest tier that matches" minimum:"0.01" maximum:"10000000000"`
	Matching           Matching     `json:"matching,omitzero"`
	ExecutionsPerAgent uint32       `json:"executions_per_agent,omitempty" doc:"default: 1" minimum:"1" maximum:"1000000" zero:"false"`
	EndsAt             Millis       `json:"ends_at,omitempty" doc:"when it ends and the rest returns; default: never"`
	Exclusive          bool         `json:"exclusive,omitempty" doc:"asks for signals that no other sponsor bought of late: one that is marked as resold may be returned without counting as a return"`
	ClearingHours      uint32       `json:"clearing_hours,omitempty" doc:"until an execution clears, at most as many as the constitution says, which is the default" minimum:"1" zero:"false"`
	Schema             JSON         `json:"schema,omitempty" doc:"a JSON Schema of the data that a signal has to bring: an object, in a subset of draft 2020-12; at most 8 KiB"`
	BudgetADay         Credits      `json:"budget_a_day,omitempty" doc:"that it pays at most in a day of UTC; default: no limit" minimum:"0.01" maximum:"10000000000" zero:"false"`
	BudgetAnHour       Credits      `json:"budget_an_hour,omitempty" doc:"that it pays at most in an hour; default: no limit" minimum:"0.01" maximum:"10000000000" zero:"false"`
}

// ContractReceipt is the receipt of opening, funding and closing a contract.
type ContractReceipt struct {
	CampaignID uint64        `json:"campaign_id"`
	Sponsor    string        `json:"sponsor"`
	State      ContractState `json:"state"`
	Remaining  Credits       `json:"remaining"`
	Returned   Credits       `json:"returned,omitempty" doc:"what went back to the sponsor"`
	Seq        uint64        `json:"seq"`
	At         Millis        `json:"at"`
}

// FoldProvider returns the name of a model provider as it is stored and
// compared: case makes no difference, so that "OpenAI" and "openai" are one.
func FoldProvider(name string) string { return strings.ToLower(name) }

// Own copies the lists, which the state keeps and the caller may go on to
// change, and folds the names of providers.
func (m *Matching) Own() {
	m.Niches, m.LLMProviders = slices.Clone(m.Niches), slices.Clone(m.LLMProviders)
	m.own()
	for i, name := range m.LLMProviders {
		m.LLMProviders[i] = FoldProvider(name)
	}
}
