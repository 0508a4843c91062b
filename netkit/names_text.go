package netkit

// Text forms, for JSON, flags and YAML.

// String returns the name.
func (t Tier) String() string { return tierNames[t] }

// MarshalText writes the name.
func (t Tier) MarshalText() ([]byte, error) { return tierNames.text(uint8(t)) }

// UnmarshalText reads the name.
func (t *Tier) UnmarshalText(text []byte) error { return tierNames.read(text, (*uint8)(t)) }

// String returns the name.
func (n Niche) String() string { return nicheNames[n] }

// MarshalText writes the name.
func (n Niche) MarshalText() ([]byte, error) { return nicheNames.text(uint8(n)) }

// UnmarshalText reads the name.
func (n *Niche) UnmarshalText(text []byte) error { return nicheNames.read(text, (*uint8)(n)) }

// String returns the name.
func (b Badge) String() string { return badgeNames[b] }

// MarshalText writes the name.
func (b Badge) MarshalText() ([]byte, error) { return badgeNames.text(uint8(b)) }

// UnmarshalText reads the name.
func (b *Badge) UnmarshalText(text []byte) error { return badgeNames.read(text, (*uint8)(b)) }

// String returns the name.
func (p Priority) String() string { return priorityNames[p] }

// MarshalText writes the name.
func (p Priority) MarshalText() ([]byte, error) { return priorityNames.text(uint8(p)) }

// UnmarshalText reads the name.
func (p *Priority) UnmarshalText(text []byte) error { return priorityNames.read(text, (*uint8)(p)) }

// String returns the name.
func (c ContractKind) String() string { return contractKindNames[c] }

// MarshalText writes the name.
func (c ContractKind) MarshalText() ([]byte, error) { return contractKindNames.text(uint8(c)) }

// UnmarshalText reads the name.
func (c *ContractKind) UnmarshalText(text []byte) error {
	return contractKindNames.read(text, (*uint8)(c))
}

// String returns the name.
func (c ContractState) String() string { return contractStateNames[c] }

// MarshalText writes the name.
func (c ContractState) MarshalText() ([]byte, error) { return contractStateNames.text(uint8(c)) }

// UnmarshalText reads the name.
func (c *ContractState) UnmarshalText(text []byte) error {
	return contractStateNames.read(text, (*uint8)(c))
}

// String returns the name.
func (a AttentionState) String() string { return attentionStateNames[a] }

// MarshalText writes the name.
func (a AttentionState) MarshalText() ([]byte, error) { return attentionStateNames.text(uint8(a)) }

// UnmarshalText reads the name.
func (a *AttentionState) UnmarshalText(b []byte) error {
	return attentionStateNames.read(b, (*uint8)(a))
}

// String returns the name.
func (s Status) String() string { return statusNames[s] }

// MarshalText writes the name.
func (s Status) MarshalText() ([]byte, error) { return statusNames.text(uint8(s)) }

// UnmarshalText reads the name.
func (s *Status) UnmarshalText(text []byte) error { return statusNames.read(text, (*uint8)(s)) }

// String returns the name.
func (p PartyKind) String() string { return partyKindNames[p] }

// MarshalText writes the name.
func (p PartyKind) MarshalText() ([]byte, error) { return partyKindNames.text(uint8(p)) }

// UnmarshalText reads the name.
func (p *PartyKind) UnmarshalText(text []byte) error { return partyKindNames.read(text, (*uint8)(p)) }
