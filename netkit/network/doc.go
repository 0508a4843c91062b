// Package network holds a network in the program's own process: the state that a
// journal adds up to, and the clerk that alone may add to it.
//
// # Where to begin
//
// [New] opens the network of a journal, or begins one with a netkit.Genesis.
// [Network.As] gives a [Session]: the network as one party sees it. Each method of
// Session is one operation; netkit.Network lists them. A program vouches for the
// caller: As("ada"), or For the Slug and Token of the Principal that
// [Network.Authenticate] finds for a token. In the end call [Network.Close]; the
// store is closed by the program that opened it.
//
// Things fall due with time: server.Serve and host.Open of server/host see to that.
// A program that uses neither calls [Network.Tick] about once a second, and after
// each midnight in UTC CloseNight of the Session of netkit.NetworkActor.
//
// For tests, netkit/netkittest makes a network in memory in one call. Clock and
// randomness are Config.Now and Config.Rand; netkittest has a clock that a test
// moves and bytes that follow from a seed, which simulations use as well.
//
// # How it works
//
// One goroutine, the clerk, decides commands in order by package netkit/rules and
// appends their entries in batches, one durable write each. A read takes its view of
// the state and is answered once everything that it rests on is durable. Snapshots
// of the state shorten a start and are compared with the journal.
package network
