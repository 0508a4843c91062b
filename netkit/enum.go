package netkit

import (
	"fmt"
	"strings"
)

// Names maps small integers to their names.
type Names []string

func (n Names) text(i uint8) ([]byte, error) {
	if int(i) >= len(n) {
		return nil, fmt.Errorf("netkit: no name for %d", i)
	}
	return []byte(n[i]), nil
}

func (n Names) Read(b []byte, p *uint8) error {
	for i, name := range n {
		if name == string(b) {
			*p = uint8(i)
			return nil
		}
	}
	return fmt.Errorf("netkit: must be one of %s", strings.Join(n.given(), ", "))
}

func (n Names) given() []string {
	if n[0] == "" {
		return n[1:]
	}
	return n
}

// Text forms, for JSON, flags and YAML.

// String returns the name.
func (t Tier) String() string { return TierNames[t] }

// MarshalText writes the name.
func (t Tier) MarshalText() ([]byte, error) { return TierNames.text(uint8(t)) }

// UnmarshalText reads the name.
func (t *Tier) UnmarshalText(text []byte) error { return TierNames.Read(text, (*uint8)(t)) }

// String returns the name.
func (n Niche) String() string { return NicheNames[n] }

// MarshalText writes the name.
func (n Niche) MarshalText() ([]byte, error) { return NicheNames.text(uint8(n)) }

// UnmarshalText reads the name.
func (n *Niche) UnmarshalText(text []byte) error { return NicheNames.Read(text, (*uint8)(n)) }

// String returns the name.
func (b Badge) String() string { return BadgeNames[b] }

// MarshalText writes the name.
func (b Badge) MarshalText() ([]byte, error) { return BadgeNames.text(uint8(b)) }

// UnmarshalText reads the name.
func (b *Badge) UnmarshalText(text []byte) error { return BadgeNames.Read(text, (*uint8)(b)) }

// String returns the name.
func (p Priority) String() string { return PriorityNames[p] }

// MarshalText writes the name.
func (p Priority) MarshalText() ([]byte, error) { return PriorityNames.text(uint8(p)) }

// UnmarshalText reads the name.
func (p *Priority) UnmarshalText(text []byte) error { return PriorityNames.Read(text, (*uint8)(p)) }

// String returns the name.
func (c ContractKind) String() string { return ContractKindNames[c] }

// MarshalText writes the name.
func (c ContractKind) MarshalText() ([]byte, error) { return ContractKindNames.text(uint8(c)) }

// UnmarshalText reads the name.
func (c *ContractKind) UnmarshalText(text []byte) error {
	return ContractKindNames.Read(text, (*uint8)(c))
}

// String returns the name.
func (c ContractState) String() string { return ContractStateNames[c] }

// MarshalText writes the name.
func (c ContractState) MarshalText() ([]byte, error) { return ContractStateNames.text(uint8(c)) }

// UnmarshalText reads the name.
func (c *ContractState) UnmarshalText(text []byte) error {
	return ContractStateNames.Read(text, (*uint8)(c))
}

// String returns the name.
func (a AttentionState) String() string { return AttentionStateNames[a] }

// MarshalText writes the name.
func (a AttentionState) MarshalText() ([]byte, error) { return AttentionStateNames.text(uint8(a)) }

// UnmarshalText reads the name.
func (a *AttentionState) UnmarshalText(b []byte) error {
	return AttentionStateNames.Read(b, (*uint8)(a))
}

// String returns the name.
func (s Status) String() string { return StatusNames[s] }

// MarshalText writes the name.
func (s Status) MarshalText() ([]byte, error) { return StatusNames.text(uint8(s)) }

// UnmarshalText reads the name.
func (s *Status) UnmarshalText(text []byte) error { return StatusNames.Read(text, (*uint8)(s)) }

// String returns the name.
func (p PartyKind) String() string { return PartyKindNames[p] }

// MarshalText writes the name.
func (p PartyKind) MarshalText() ([]byte, error) { return PartyKindNames.text(uint8(p)) }

// UnmarshalText reads the name.
func (p *PartyKind) UnmarshalText(text []byte) error { return PartyKindNames.Read(text, (*uint8)(p)) }
