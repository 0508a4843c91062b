package netkit

// SetChannels subscribes the caller to intelligence channels: they are the
// default filter of its manifest and stream, and gate nothing. None is all.
type SetChannels struct {
	Channels []Niche `json:"channels" doc:"none subscribes to all six"`
}

// ChannelsReceipt is the receipt of subscribing.
type ChannelsReceipt struct {
	Channels []Niche `json:"channels"`
	Seq      uint64  `json:"seq"`
	At       Millis  `json:"at"`
}
