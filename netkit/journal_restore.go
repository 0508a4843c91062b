package netkit

// RecordRestore asks to record that the journal was restored from a backup. It
// changes no balance and no party.
type RecordRestore struct {
	// Lost is the newest tree that is known of the journal as it was before the
	// loss: that of the backup where nothing newer is known.
	Lost TreeHead `json:"lost"`
}

// RestoreReceipt is the receipt of a recorded restore.
type RestoreReceipt struct {
	Lost     TreeHead `json:"lost" doc:"newest tree that is known of the journal before the loss"`
	Restored TreeHead `json:"restored" doc:"tree of the entries before this one, which the restored journal continues"`
	Seq      uint64   `json:"seq" doc:"entry that records the restore"`
	At       Millis   `json:"at"`
}
