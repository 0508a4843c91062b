package rules

import (
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Fields carries the whole state in canonical form: tables in the order of their
// registration, rows in their own order or in that of their keys, nothing that can
// be derived.
func (s *State) Fields(c *wire.Codec) {
	for i := range s.tables {
		if fields := s.tables[i].fields; fields != nil {
			fields(c)
		}
	}
}

// constitutionFields carries the constitution in force.
func (s *State) constitutionFields(c *wire.Codec) {
	document := (*undo.Then(undo.FreezeOf(c.Freeze), &s.law)).JSON()
	c.Raw("constitution", &document)
	if c.Reading() {
		s.adopt(document)
	}
}

func (r *root) Fields(c *wire.Codec) {
	wire.Num(c, "next", &r.Next)
	wire.Num(c, "at", &r.At)
	wire.Str(c, "network", &r.NetID)
	wire.Str(c, "log_key", &r.LogKey)
	wire.Num(c, "clearing", &r.clearing)
	wire.Amount(c, "uncleared_shares", &r.UnclearedShares)
	wire.Num(c, "crises", &r.crises)
	wire.Num(c, "alarm", &r.alarm)
	wire.Num(c, "judged", &r.judged)
	wire.Num(c, "agents", &r.Counts.Agents)
	wire.Num(c, "opened", &r.Counts.Contracts)
	wire.Num(c, "executions", &r.Counts.Executions)
	c.Member("exchange", r.Exchange.Fields)
}

// Canonical returns the state's canonical form.
func (s *State) Canonical() []byte { return s.CanonicalIn(nil) }

// CanonicalIn is Canonical with memory to begin with.
func (s *State) CanonicalIn(b []byte) []byte {
	c := wire.Writer(b)
	s.writeTo(&c)
	return c.Bytes()
}

// CanonicalAt returns the canonical form as it was at a freeze, in pieces. Its
// caller holds the lock of the freeze.
func (s *State) CanonicalAt(f *undo.Freeze) [][]byte {
	c := wire.Codec{Freeze: f}
	s.writeTo(&c)
	return c.Pieces()
}

func (s *State) writeTo(c *wire.Codec) {
	c.Begin()
	s.Fields(c)
	c.End()
}

// Derive computes the values that follow from the tables.
func (s *State) Derive() {
	for i := range s.tables {
		if derive := s.tables[i].derive; derive != nil {
			derive()
		}
	}
	s.Commit()
}
