package netkit

// What becomes of the secrets that stood in a private part when it is erased:
//
//   - A token that is still valid has to be revoked first: nobody is locked out
//     by an erasure.
//   - A webhook's address and secret go with the text, in the running network and in the
//     snapshot.
//   - What else the second fold took from the text, the hash of an idempotency
//     key and what a capped token spent, moves into the private part of the
//     erasure's own entry, where a replay finds it. So a retry is still known,
//     a cap still holds, and an erasure itself is not erased.

// ErasePrivate asks to erase the private part of an entry for ever. The public
// part stays, and every hash with it.
type ErasePrivate struct {
	Entry  uint64 `json:"entry" doc:"sequence number"`
	Reason string `json:"reason" doc:"why, for everybody to read, so it must not repeat the text; 1 to 500 characters" minLength:"1" maxLength:"500"`
}

// ErasureReceipt is the receipt of an erasure. Erasing again gives the same.
type ErasureReceipt struct {
	Entry  uint64 `json:"entry"`
	Reason string `json:"reason"`
	Seq    uint64 `json:"seq" doc:"entry that records the erasure"`
	At     Millis `json:"at"`
}
