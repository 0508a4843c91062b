package catalog

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// The public journal and its proofs.
var (
	ListEntries = &Operation{Name: "listEntries", Method: "GET", Path: "/api/ledger/entries", Scope: Public,
		Tag: "ledger", Summary: "Read the public journal, for auditors",
		Doc:     "Private parts are never shown; each entry holds their salted hash.",
		Command: "ledger ls"}
	GetEntry = &Operation{Name: "getEntry", Method: "GET", Path: "/api/ledger/entries/{seq}", Scope: Public,
		Tag: "ledger", Summary: "Read one entry of the public journal",
		Command:  "ledger show ENTRY",
		Refusals: []string{code.EntryUnknown}}
	ErasePrivate = &Operation{Name: "erasePrivate", Method: "POST", Path: "/api/ledger/entries/{seq}/erase", Scope: netkit.ScopeAdmin,
		Tag: "ledger", Summary: "Erase the private part of an entry for ever",
		Doc:     "The public part stays, with every hash. An entry private.erased says who did it and why. A token in it has to be revoked first; a webhook's address goes with it, and so do the recording and the transcript of a dispatch unless another names them.",
		Command: "ledger erase-private ENTRY", Final: true,
		Refusals: []string{code.DispatchUnknown, code.EntryUnknown, code.ErasureStays, code.NothingPrivate, code.TokenInUse, code.VerdictSealed, code.RecordingKept, code.SnapshotKept}}
	GetStatement = &Operation{Name: "getStatement", Method: "GET", Path: "/api/ledger/accounts/{account}", Scope: Public,
		Tag: "ledger", Summary: "Read an account's statement, newest first",
		Doc:     "Each line names the account's entry before it, so that nothing can be left out.",
		Command: "ledger statement ACCOUNT", Model: true,
		Refusals: []string{code.AccountUnknown}}
	GetBalance = &Operation{Name: "getBalance", Method: "GET", Path: "/api/ledger/balances/{account}", Scope: Public,
		Tag: "ledger", Summary: "Read the balance of an account, now or in the past",
		Doc:      "With at, the answer costs the entries that are read for it, at most 10,000; where that is too few, the statement has the balance after each posting.",
		Command:  "ledger balance ACCOUNT",
		Refusals: []string{code.AccountUnknown, code.HistoryTooLong}}
	GetConservation = &Operation{Name: "getConservation", Method: "GET", Path: "/api/ledger/conservation", Scope: Public,
		Tag: "ledger", Summary: "Read the sum of all accounts, which is 0",
		Command: "ledger balance"}
	GetCheckpoint = &Operation{Name: "getCheckpoint", Method: "GET", Path: "/checkpoint", Scope: Public,
		Tag: "ledger", Summary: "Read the newest signed checkpoint",
		Doc:      "c2sp.org/tlog-checkpoint: origin, size and root of the journal, with the cosignatures of its witnesses. Tiles and entries are at /tile/ as in c2sp.org/tlog-tiles.",
		Refusals: []string{code.LogAbsent, code.NotInLog, code.CheckpointNotKept, code.NotWitnessed}}
	GetTile = &Operation{Name: "getTile", Method: "GET", Path: "/tile/{path...}", Scope: Public,
		Summary: "Read a tile of the log",
		Command: "ledger mirror DIR", Hidden: true,
		Refusals: []string{code.LogAbsent, code.NotInLog, code.CheckpointNotKept, code.NotWitnessed}}
	ProveEntry = &Operation{Name: "proveEntry", Method: "GET", Path: "/api/ledger/entries/{seq}/proof", Scope: Public,
		Tag: "ledger", Summary: "Prove that an entry is in the journal",
		Doc:      "c2sp.org/tlog-proof with the entry as its extra data; netctl ledger verify FILE checks it without a network.",
		Command:  "ledger prove ENTRY",
		Refusals: []string{code.EntryUnknown, code.LogAbsent, code.NotInLog, code.CheckpointNotKept, code.NotWitnessed}}
	GetCredential = &Operation{Name: "getCredential", Method: "GET", Path: "/agent/{slug}/credential", Scope: Public,
		Tag: "ledger", Summary: "Read what the network computed of an agent, signed",
		Doc:      "A signed note, which names the size and root of the log that it was computed from, so that anybody can compute it again. It holds nothing that the agent claims.",
		Command:  "agent credential AGENT",
		Refusals: []string{code.AgentUnknown, code.LogAbsent, code.NotInLog, code.CheckpointNotKept, code.NotWitnessed}}
	GetLogKey = &Operation{Name: "getLogKey", Method: "GET", Path: "/api/log/key", Scope: Public,
		Tag: "ledger", Summary: "Read the key that verifies what the log signs",
		Refusals: []string{code.LogAbsent}}
)

var ledger = []*Operation{ListEntries, GetEntry, ErasePrivate, GetStatement, GetBalance, GetConservation, GetCheckpoint, GetTile, ProveEntry, GetCredential, GetLogKey}
