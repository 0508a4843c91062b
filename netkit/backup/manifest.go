package backup

import (
	"errors"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// Version is the version of the form that [Write] writes.
const Version = 1

// Errors of a backup that cannot be used.
var (
	// ErrDamaged means that a backup holds other bytes than were written.
	ErrDamaged = errors.New("backup: damaged")
	// ErrVersion means that a later version of the program wrote the backup.
	ErrVersion = errors.New("backup: written by a newer version")
	// ErrIdentity means that the identity given opens none of the members.
	ErrIdentity = errors.New("backup: the identity does not open it")
)

// Manifest is what a backup says of itself in the clear. It holds no secret.
type Manifest struct {
	Version    int             `json:"version"`
	Network    string          `json:"network"`
	Key        string          `json:"log_key,omitempty"` // public key of the network's log
	At         time.Time       `json:"at"`                // when it was begun
	Tree       netkit.TreeHead `json:"tree"`              // of the entries in it
	Tip        netkit.Hash     `json:"tip"`               // leaf hash of the last one
	LastEntry  netkit.Millis   `json:"last_entry"`        // its time
	Recordings int             `json:"recordings"`        // recordings and transcripts
	Recipients []string        `json:"recipients"`        // of age, to whom the private members are encrypted
	Members    []Member        `json:"members"`
}

// Member is a part of a backup.
type Member struct {
	Name   string      `json:"name"`
	Bytes  int64       `json:"bytes"`
	SHA256 netkit.Hash `json:"sha256"` // of the encrypted bytes
}

// Names of members.
const (
	keysFolder       = "private/keys/"
	publicFolder     = "public/journal/"
	sealedFolder     = "private/journal/"
	recordingsFolder = "private/recordings/"
	filesFolder      = "private/files/"
	checkpointName   = "public/checkpoint.age"
	manifestName     = "manifest.json"
	checksumName     = "checksum"
)

// pieceSize is about how many bytes a member holds before it is encrypted.
const pieceSize = 1 << 20
