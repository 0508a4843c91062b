package bench

import (
	"math/rand/v2"
	"strings"

	"github.com/agentnet/netctl/netkit"
)

// variants is how many texts one agent sends in turn.
const variants = 32

// signalOf returns the nth signal of an agent. Texts differ, since a journal of one
// text would look better than it is to anything that compares or compresses.
func signalOf(agent, n int) netkit.Signal {
	r := rand.New(rand.NewPCG(uint64(agent), uint64(n%variants)))
	return netkit.Signal{Headline: words(r, 7), Body: words(r, 12) + ".", Sources: []string{"https://example.org/" + words(r, 1)}}
}

func words(r *rand.Rand, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(vocabulary[r.IntN(len(vocabulary))])
	}
	return b.String()
}

var vocabulary = strings.Fields(`substrates lead times fall rise weeks three nine fourteen distributors quote
	January March orders wafer furnace outage capacity plant port delay freight customs notice tender price copper
	nickel gallium yield lot inspection recall firmware sensor board supplier contract renewal shift strike storm
	pipeline reserve auction spot forward spread margin inventory warehouse audit permit filing`)
