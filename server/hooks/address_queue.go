package hooks

import (
	"cmp"
	"slices"
)

// addressQueue is webhooks that wait, by the client addresses from which their
// owners set them. The addresses take turns, so that one of them delays others
// by no more than its share, however many webhooks were set from it.
type addressQueue struct {
	latestFirst bool // of one address, the webhook that was set last comes first
	waiting     map[string][]*hook
	turns       []string // addresses of which one waits, the next first
}

// push adds a webhook.
func (q *addressQueue) push(k *hook) {
	if q.waiting == nil {
		q.waiting = map[string][]*hook{}
	}
	all := q.waiting[k.address]
	if len(all) == 0 {
		q.turns = append(q.turns, k.address)
	}
	at := len(all)
	if q.latestFirst {
		at, _ = slices.BinarySearchFunc(all, k.Entry, func(other *hook, entry uint64) int { return cmp.Compare(entry, other.Entry) })
	}
	q.waiting[k.address] = slices.Insert(all, at, k)
}

// pop removes and returns the next webhook, nil if none waits.
func (q *addressQueue) pop() *hook {
	if len(q.turns) == 0 {
		return nil
	}
	address := q.turns[0]
	q.turns = q.turns[1:]
	all := q.waiting[address]
	k := all[0]
	all[0] = nil
	if all = all[1:]; len(all) == 0 {
		delete(q.waiting, address)
		return k
	}
	q.waiting[address] = all
	q.turns = append(q.turns, address)
	return k
}
