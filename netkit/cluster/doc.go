// Package cluster makes three or five folders one network, without another service.
//
// Each node runs hashicorp/raft. Its log carries the batches of the journal, and an
// appended batch is acknowledged once a majority of the voting nodes has synced it in
// its log. The state machine appends each batch to the journal in that node's own
// folder. Whether an entry is accepted follows from the entries before it, so that
// all nodes decide alike: a batch whose head is not the journal's is refused by all of
// them. A folder that cannot be written delays its node, and one with other entries
// than the cluster agreed on stops it.
//
// A [Node] is a [journal.Engine] for package replica; its [Node.Folder] is the folder
// that a replica.Store of that node reads. The node that leads the raft is the one
// that is to write; see [Node.Writer].
//
// # Files
//
// Below the folder, cluster/raft.db holds the log, the vote and the newest snapshot,
// which is a reference to the folder at a head: a node that lags behind the log copies
// the batches that it lacks from another one. The log is cut at least hourly, so that
// the keys of erased private parts leave it. Keys and certificates of the node and of
// the cluster's own authority are in the same folder.
//
// # Worst days
//
// [Open] returns [ErrDamaged] for a node whose folder or log is damaged. [Repair] moves
// the damaged files aside, and the node is copied from the others. Where a
// majority is lost, [Recover] makes a cluster of one from a node that is left; where
// only a folder is left, [Init] does. Both may bring back a batch that was never
// acknowledged, and neither may run while another node of the old cluster does.
package cluster
