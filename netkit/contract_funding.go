package netkit

// FundContract adds to a contract's budget; an exhausted one opens again.
type FundContract struct {
	CampaignID uint64  `json:"campaign_id"`
	Amount     Credits `json:"amount" minimum:"0.01" maximum:"10000000000"`
}

// CloseContract ends a contract early; what is left returns to the sponsor.
type CloseContract struct {
	CampaignID uint64 `json:"campaign_id"`
}
