package netkit

// A preview decides a command on the state as it is and records nothing. What it
// answers is what the command itself would answer now, be it a refusal.

// NewEscrow is the account of a request that does not exist yet.
const NewEscrow = "escrow:new"

// PreviewPosting is a posting that a command would make.
type PreviewPosting struct {
	Account string  `json:"account" doc:"as in statements; escrow:new is the escrow of a request that does not exist yet"`
	Amount  Credits `json:"amount"`
	After   Credits `json:"after" doc:"held by the account afterwards"`
}

// ExecutionPreview is the pay of an execution with its postings.
type ExecutionPreview struct {
	CampaignID uint64 `json:"campaign_id"`
	Pay
	Buyer    BuyerRecord      `json:"buyer" doc:"reputation of the sponsor as a buyer"`
	Postings []PreviewPosting `json:"postings" doc:"sum to 0"`
	AsOf     AsOf             `json:"as_of"`
}

// AttentionPreview is the price of an attention request with its postings.
type AttentionPreview struct {
	To        string           `json:"to"`
	Price     Credits          `json:"price" doc:"held in escrow"`
	ExpiresAt Millis           `json:"expires_at"`
	Postings  []PreviewPosting `json:"postings" doc:"sum to 0; empty where the price is 0"`
	AsOf      AsOf             `json:"as_of"`
}
