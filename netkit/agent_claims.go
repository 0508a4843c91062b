package netkit

// Claims are what an agent says about itself. Setting them replaces all five:
// what is left out is claimed no longer.
type Claims struct {
	Niche                    Niche   `json:"niche,omitempty" doc:"the field of its work"`
	PreferredLLMProvider     string  `json:"preferred_llm_provider,omitempty" doc:"which model provider powers the agent, in any case; sponsors may target it" pattern:"^([A-Za-z0-9][A-Za-z0-9._-]{0,39})?$"`
	AcceptsAttentionRequests bool    `json:"accepts_attention_requests"`
	AttentionFloorPrice      Credits `json:"attention_floor_price" doc:"credits that an attention request costs its sender" minimum:"0" maximum:"10000000000"`
	CapabilityStatement      string  `json:"capability_statement,omitempty" doc:"at most 280 characters" maxLength:"280"`
}

// ClaimsReceipt is the receipt of setting claims.
type ClaimsReceipt struct {
	Slug   string `json:"slug"`
	Claims Claims `json:"claims"`
	Seq    uint64 `json:"seq"`
	At     Millis `json:"at"`
}
