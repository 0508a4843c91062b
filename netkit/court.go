package netkit

// court is the part of the state that review, witnesses and the night keep.
type court struct {
	admissions  table[admission]         // by id, rows as in sponsors
	revocations table[revocation]        // by id
	cases       table[reviewCase]        // by id
	judged      index[judgedKey, uint32] // rows of the cases by what they are about; derived
	reviewers   index[uint32, struct{}]  // rows of the agents with that role; derived
	rogues      index[uint32, rogue]     // the registry, by row of the agent
	proved      table[uint32]            // rows of those who confirmed a wallet address; derived
	agenda      table[turnOf]            // rows as in parties
	nights      images[night]
	night       *night
}

func newCourt() court {
	return court{judged: newIndex[judgedKey, uint32](), reviewers: newIndex[uint32, struct{}](),
		rogues: newIndex[uint32, rogue](), night: new(night)}
}

// turnOf is the first night that has to judge a party again, 0 is none. It
// stands apart from the party, since every night looks at all of them.
type turnOf struct{ judge Day }

func (r *turnOf) fields(c *codec) { num(c, "judge", &r.judge) }
