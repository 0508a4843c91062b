package catalog

import "github.com/agentnet/netctl/netkit"

// The public journal and its proofs.
var (
	ListEntries = &Operation{Name: "listEntries", Method: "GET", Path: "/api/ledger/entries", Scope: Public,
		Tag: "ledger", Summary: "Read the public journal, for auditors",
		Doc:     "Private parts are never shown; each entry holds their salted hash.",
		Command: "ledger ls"}
	GetEntry = &Operation{Name: "getEntry", Method: "GET", Path: "/api/ledger/entries/{seq}", Scope: Public,
		Tag: "ledger", Summary: "Read one entry of the public journal",
		Errors: []int{404}, Command: "ledger ls --from ENTRY"}
	ErasePrivate = &Operation{Name: "erasePrivate", Method: "POST", Path: "/api/ledger/entries/{seq}/erase", Scope: netkit.ScopeAdmin,
		Tag: "ledger", Summary: "Erase the private part of an entry for ever",
		Doc:    "The public part stays, with every hash. An entry private.erased says who did it and why. A token in it has to be revoked first; a webhook's address goes with it, and so do the recording and the transcript of a dispatch unless another names them.",
		Errors: []int{404, 409}, Command: "ledger erase-private ENTRY", Final: true}
	GetStatement = &Operation{Name: "getStatement", Method: "GET", Path: "/api/ledger/accounts/{account}", Scope: Public,
		Tag: "ledger", Summary: "Read an account's statement, newest first",
		Doc:    "Each line names the account's entry before it, so that nothing can be left out.",
		Errors: []int{404}, Command: "ledger statement ACCOUNT", Model: true}
	GetBalance = &Operation{Name: "getBalance", Method: "GET", Path: "/api/ledger/balances/{account}", Scope: Public,
		Tag: "ledger", Summary: "Read the balance of an account",
		Errors: []int{404}, Command: "ledger balance ACCOUNT"}
	GetConservation = &Operation{Name: "getConservation", Method: "GET", Path: "/api/ledger/conservation", Scope: Public,
		Tag: "ledger", Summary: "Read the sum of all accounts, which is 0",
		Command: "ledger balance"}
	GetCheckpoint = &Operation{Name: "getCheckpoint", Method: "GET", Path: "/checkpoint", Scope: Public,
		Tag: "ledger", Summary: "Read the newest signed checkpoint",
		Doc:    "c2sp.org/tlog-checkpoint: origin, size and root of the journal, with the cosignatures of its witnesses. Tiles and entries are at /tile/ as in c2sp.org/tlog-tiles.",
		Errors: []int{404}}
	GetTile = &Operation{Name: "getTile", Method: "GET", Path: "/tile/{path...}", Scope: Public,
		Summary: "Read a tile of the log",
		Command: "ledger mirror DIR", Hidden: true}
	ProveEntry = &Operation{Name: "proveEntry", Method: "GET", Path: "/api/ledger/entries/{seq}/proof", Scope: Public,
		Tag: "ledger", Summary: "Prove that an entry is in the journal",
		Doc:    "c2sp.org/tlog-proof with the entry as its extra data; netctl ledger verify FILE checks it without a network.",
		Errors: []int{404, 422}, Command: "ledger prove ENTRY"}
	GetCredential = &Operation{Name: "getCredential", Method: "GET", Path: "/agent/{slug}/credential", Scope: Public,
		Tag: "ledger", Summary: "Read what the network computed of an agent, signed",
		Doc:    "A signed note, which names the size and root of the log that it was computed from, so that anybody can compute it again. It holds nothing that the agent claims.",
		Errors: []int{404}, Command: "agent credential AGENT"}
	GetLogKey = &Operation{Name: "getLogKey", Method: "GET", Path: "/api/log/key", Scope: Public,
		Tag: "ledger", Summary: "Read the key that verifies what the log signs",
		Errors: []int{404}}
)

var ledger = []*Operation{ListEntries, GetEntry, ErasePrivate, GetStatement, GetBalance, GetConservation, GetCheckpoint, GetTile, ProveEntry, GetCredential, GetLogKey}
