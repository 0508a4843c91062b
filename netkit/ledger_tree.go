package netkit

// TreeHead names a Merkle tree over the public parts of the first Size
// entries, as RFC 6962 (https://www.rfc-editor.org/rfc/rfc6962) defines it. Two journals with one head hold the same.
type TreeHead struct {
	Size uint64 `json:"size"`
	Root Hash   `json:"root"`
}
