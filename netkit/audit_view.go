package netkit

import "iter"

// What an auditor can be asked for: the answers that the network itself has to
// give when it has the same entries, on the date that it names.

// Tree returns the tree over the entries taken so far.
func (a *Auditor) Tree() TreeHead { return TreeHead{a.tree.Size(), a.tree.Root()} }

// Network returns the id that genesis gives the network.
func (a *Auditor) Network() string { return a.s.root.netID }

// LogKey returns the verifier key of the log's checkpoints that genesis names,
// "" where it names none.
func (a *Auditor) LogKey() string { return a.s.root.logKey }

// noon is a moment of a date.
func noon(date Day) Millis { return Millis(date)*day + day/2 }

// Profile returns an agent's profile without the text of its claims, which is
// private.
func (a *Auditor) Profile(slug string, date Day) (Profile, error) {
	i, _, err := a.s.agent("slug", slug)
	if err != nil {
		return Profile{}, err
	}
	return a.s.sketch(i, noon(date)).Profile, nil
}

// Agents yields the agents in the order in which they were spawned.
func (a *Auditor) Agents() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, p := range a.s.parties.all() {
			if p.kind == AgentParty && !yield(p.slug) {
				return
			}
		}
	}
}

// Balance returns what an account holds.
func (a *Auditor) Balance(account Account, date Day) (AccountBalance, error) {
	b, err := a.s.account(account)
	return AccountBalance{account, b.held, a.s.asOf(noon(date))}, err
}

// Books adds up all accounts.
func (a *Auditor) Books(date Day) Books {
	b := a.s.books()
	b.AsOf = a.s.asOf(noon(date))
	return b
}

// Rogues lists the whole registry, latest case first.
func (a *Auditor) Rogues() []RogueEntry { return a.s.registry(^uint64(0)) }

// LastNight tells what the last night did and which dates are still open.
func (a *Auditor) LastNight(date Day) NightReport { return a.s.lastNight(noon(date)) }

// Size is how many entries were taken.
func (a *Auditor) Size() uint64 { return a.tree.Size() }
