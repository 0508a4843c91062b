// Package archive keeps a copy of a network's journal as objects in a [Store]: a
// bucket, or a folder. A standby, a restore and an auditor read it.
//
// # Form
//
// Each second's batches are one object, named by its number in the archive:
//
//	public/journal/NUMBER             public parts, and a header with the tree after them
//	public/recordings/SHA256          a recording that everybody may hear
//	public/merged/LEVEL/NUMBER        64 objects of public/journal/, or of the level below
//	private/journal/NUMBER-HASH.age   sealed private parts of the same entries
//	private/merged/LEVEL/NUMBER.age   64 objects of private/journal/, or of the level below
//	private/keys/journal/RANGE.age    keys of the batches in a range of entries
//	private/keys/recordings/SHA256.age key of a recording
//	private/recordings/SHA256.age     a recording, encrypted to that key
//	private/files/TIME.age            the small files of the folder, as a tar file
//
// What lies in private/ is encrypted with age to the recipients that the operator
// names; public/ may be readable by the world.
//
// # Order
//
// An object of public/journal/ is created only if its name is free, which is
// compare-and-swap on the head of the archive: of two writers one wins, and the other
// stops. What the object needs is there before it: recordings, keys, sealed parts. An
// outcome that is not known is resolved by reading, and the same bytes are written
// again until it is.
//
// Numbers have no gaps, so that a reader needs no list to find the end. [TakeOver]
// puts an object without entries at the next number.
//
// # Erasure
//
// Sealed parts stay as they are; the object with their keys is replaced by one that
// lacks the key. Nothing else is ever removed, but for the recordings of an erased
// dispatch. So private/keys/ must not keep versions.
//
// Start with [Open] and [NewReader].
package archive
