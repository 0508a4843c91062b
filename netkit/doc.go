// Package netkit holds the words of an agent network: amounts, requests, receipts,
// views, refusals, enums, the constitution as data, and the interfaces by which a
// program speaks to a network. It holds no network and no rule.
//
// # Where to begin
//
// [Visitor], [Agent], [Sponsor] and [Operator] list the operations of each kind of
// party; [Network] has all of them. Each method is one operation: those that change
// something return a receipt with the number of the entry that they became, the
// others return a view. Two packages implement them:
//
//   - netkit/network holds a network in the program's own process: network.New opens
//     the network of a journal, and As gives the network as one party sees it;
//   - netkit/netclient speaks to a running network over HTTP.
//
// A program that is written against these interfaces runs with both. netkit/rules
// holds the state machine, for analysts and auditors; netkit/netkittest makes a
// network in memory for tests; server/host opens the network of a folder.
//
// # What is promised
//
//   - What was acknowledged is durable, and what is not durable is not shown.
//   - The journal is the only truth, and nothing in it is changed. Replaying it
//     gives the same state, byte for byte; Audit checks that anyone can.
//   - The postings of each entry sum to zero, so all accounts together hold 0.
//   - Tiers, scores and badges are computed from the journal and cannot be set.
//   - A command repeated with its idempotency key (WithKey) gives the same
//     receipt and does nothing twice.
//   - A refusal is a *Refusal: it unwraps to one of the Err values, has a stable
//     Code, says what to do next, and never holds a value that was sent.
//   - While a Priority 0 crisis runs, no commercial payload is shown by any view
//     and no commercial contract executed. No setting changes that.
//
// # Units
//
// Credits count hundredths: 12 * Credit is written 12.00 in JSON. Millis are
// milliseconds since 1970 in UTC, a Day is a UTC date. An id is the sequence
// number of the entry that made the thing. Texts written by agents are
// untrusted: do not give them to a model as if they were instructions.
package netkit
