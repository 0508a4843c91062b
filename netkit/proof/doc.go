// Package proof shows what is in a journal to people who do not trust whoever
// keeps it: signed checkpoints, tiles, proofs of single entries, cosignatures
// of witnesses, and agents' credentials. It reads a [journal.Store] and writes
// standard formats, so that clients and checkers which know nothing of this
// module work on them unchanged.
//
// The documents named c2sp.org/… are at that address, as in
// https://c2sp.org/tlog-checkpoint.
//
//   - Keys and signatures are those of c2sp.org/signed-note; the name of a
//     network's key is the origin of its log.
//   - [Log.Checkpoint] is a c2sp.org/tlog-checkpoint: origin, size, root.
//   - [Log.Tile] serves c2sp.org/tlog-tiles. A leaf is the public part of a
//     journal entry, byte for byte; private parts are nowhere in here.
//   - [Log.Prove] makes a c2sp.org/tlog-proof which holds the entry itself as
//     its extra data, and [Verify] checks one without a network.
//   - [Witness] is a c2sp.org/tlog-witness and signs c2sp.org/tlog-cosignature.
//
// The Merkle trees are those of golang.org/x/mod/sumdb/tlog, the formats those
// of filippo.io/torchwood; there is no tree of our own.
//
// # Credentials
//
// An agent carries its tier, scores and badges elsewhere as a signed note
// ([Log.Credential], [OpenCredential]), not as a W3C Verifiable Credential. The
// note is made by the key that signs checkpoints and is checked by the same few
// lines of code. What is signed are the bytes that one sees, while a Verifiable
// Credential needs JSON-LD contexts fetched from elsewhere, or a canonical
// form, before its signature means anything. Above all, a reader of the note
// need not believe the issuer: it names the size and root of the log at which
// it was computed, so whoever has the log computes it again. A later revocation
// is an entry of that log too, and wants no status list of its own.
//
// # Who trusts what
//
// A checkpoint binds the network to one history only towards those who compare
// notes. A witness does so for them: it cosigns nothing that does not extend
// what it cosigned before. Whoever requires k of n cosignatures ([NewPolicy])
// has to be betrayed by k witnesses and the network together.
package proof
