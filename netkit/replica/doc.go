// Package replica keeps the journals of several nodes like the engine that orders
// their batches.
//
// A [Store] is the journal of one node: a folder of its own, with the bytes and the
// root of a journal on a single machine. Its batches go to the engine first, under the
// condition that the engine still has the head that the node saw, and then into the
// folder; those of other nodes are copied from the engine. So no node serves entries
// that the engine lacks, an engine that answers with other entries is named by the
// Merkle root of its batches, and a folder outlives its engine.
//
// A [Node] joins a store with a network: it follows the engine, and writes while it
// is the one node that does. Which one that is may be in error for a moment; the
// engine's condition then lets one of two appends win, and the other node reads and
// decides again.
package replica
