// Package postgres keeps the batches of a network in PostgreSQL 15 or later, for
// several nodes that each have a folder of their own.
//
// A batch is one row. It is appended by one statement, whose condition names the
// head that it continues: a writer that was replaced inserts no row, and of two at
// the same instant one meets the primary key. No lock and no lease decides.
//
// The role that a node uses may insert rows and read them; it may not update,
// delete or truncate, and the keys of private parts change only by a function that
// wants an erasure entry for it. [Create] makes the schema as another role, the
// owner. [Open] refuses to run as the owner unless the configuration allows it.
//
// A network leaves the database for good by [Engine.Retire]: a row without entries takes
// the place of the next batch, by the same primary key.
//
// The server's settings decide the meaning of an acknowledgement, which
// [Engine.Limits] returns. No time-out and no done context cuts an append: PostgreSQL
// answers a cancelled wait for a standby with a committed row and a warning, so
// that a cut proves nothing. A lost connection or such a warning is
// [journal.ErrDoubtful].
package postgres
