package rules

import (
	"iter"

	"github.com/agentnet/netctl/netkit"
)

// What an auditor can be asked for: the answers that the network itself has to
// give when it has the same entries, at the time that its answer names.

// Tree returns the tree over the entries taken so far.
func (a *Auditor) Tree() netkit.TreeHead {
	return netkit.TreeHead{Size: a.tree.Size(), Root: a.tree.Root()}
}

// Network returns the id that genesis gives the network.
func (a *Auditor) Network() string { return a.State.root.NetID }

// LogKey returns the verifier key of the log's checkpoints that genesis names,
// "" where it names none.
func (a *Auditor) LogKey() string { return a.State.root.LogKey }

// Profile returns an agent's profile without the text of its claims, which is
// private.
func (a *Auditor) Profile(slug string, at netkit.Millis) (netkit.Profile, error) {
	i, _, err := a.State.agent("slug", slug)
	if err != nil {
		return netkit.Profile{}, err
	}
	return a.State.sketch(i, at).Profile, nil
}

// Agents yields the agents in the order in which they were spawned.
func (a *Auditor) Agents() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, p := range a.State.parties.All() {
			if p.Kind == netkit.AgentParty && !yield(p.Slug) {
				return
			}
		}
	}
}

// Balance returns what an account holds.
func (a *Auditor) Balance(account netkit.Account, at netkit.Millis) (netkit.AccountBalance, error) {
	out, err := a.State.AccountBalance(account, at)
	if err != nil && account.Kind == netkit.ContractAccount {
		ct, lost := ContractShelf.Find(ContractShelf.Below(a.State, account.ID+1), account.ID, a.earlier)
		if lost == nil && ct != nil {
			out.Balance, err = ct.left.Held, nil
		}
	}
	return out, err
}

// Books adds up all accounts.
func (a *Auditor) Books(at netkit.Millis) netkit.Books {
	b := a.State.Books()
	b.AsOf = a.State.AsOf(at)
	return b
}

// Rogues lists the whole registry, latest case first.
func (a *Auditor) Rogues() []netkit.RogueEntry { return a.State.Registry(^uint64(0)) }

// LastNight tells what the last night did and which dates are still open.
func (a *Auditor) LastNight(at netkit.Millis) netkit.NightReport { return a.State.LastNight(at) }

// Size is how many entries were taken.
func (a *Auditor) Size() uint64 { return a.tree.Size() }
