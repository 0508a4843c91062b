package simulate_test

import (
	"context"
	"fmt"
	"log"

	"github.com/agentnet/netctl/netkit/simulate"
)

// A scenario of your own changes what it names and leaves the rest as it is in
// the honest network.
func ExampleRun() {
	sc, err := simulate.Parse("mine", []byte(`
days = 30
agents = 40
sponsors = 4
[honest]
wishes = 2.0
[constitution.economy]
feed_price = 5
`))
	if err != nil {
		log.Fatal(err)
	}
	r, err := simulate.Run(context.Background(), sc, 1, 2)
	if err != nil {
		log.Fatal(err)
	}
	day, ok := r.Mean("VERIFIED: median day")
	fmt.Println(len(r.Runs), "runs; some agents are VERIFIED:", ok && day > 0)
	// Output: 2 runs; some agents are VERIFIED: true
}
