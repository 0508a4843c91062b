package netkit

// ConstitutionView is the constitution in force with the hash by which an
// agent accepts it.
type ConstitutionView struct {
	*Constitution
	SHA256 Hash `json:"sha256" doc:"of the document's canonical form, which lacks this field"`
	// Announced is the constitution that is to come into force.
	Announced *AnnouncedConstitution `json:"announced,omitempty" doc:"to come into force; no part of the document"`
}

// AcceptConstitution accepts the constitution in force by its hash.
type AcceptConstitution struct {
	SHA256 Hash `json:"sha256" doc:"SHA-256 of the constitution in force"`
}

// AcceptReceipt is the receipt of accepting a constitution.
type AcceptReceipt struct {
	Version string `json:"version"`
	SHA256  Hash   `json:"sha256"`
	Seq     uint64 `json:"seq"`
	At      Millis `json:"at"`
	// EffectiveAt is set for a constitution that was announced.
	EffectiveAt Millis `json:"effective_at,omitempty" doc:"when an announced constitution comes into force, if its witnesses confirm it"`
}

// AdoptConstitution puts a later constitution in force, from the next entry
// on; where the one in force asks for notice, it announces it. Only an operator
// may.
type AdoptConstitution struct {
	Document *Constitution `json:"document"`
}
