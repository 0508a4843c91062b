package access

import (
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Delivery is how far the events of webhooks were sent, by the latest record of it.
type Delivery struct {
	Recorded undo.Index[string, Recorded] // under "", if anything was recorded
	// Behind has, by the slug of the owner, the entry from which on events are still
	// to be sent. Who is not in it was sent all events of the entries before the front.
	Behind undo.Index[string, uint64]
}

// Recorded is the latest record.
type Recorded struct {
	Entry uint64
	Front uint64
}

// Positions is what a record changes.
type Positions struct {
	Front  uint64     // 0 leaves it
	Behind []Position // of those whose position is another one
}

// Position is how far a webhook is.
type Position struct {
	Owner string
	Next  uint64 // entry from which on events are still to be sent, 0 for the front
}

func newDelivery() Delivery {
	return Delivery{Recorded: undo.NewIndex[string, Recorded](), Behind: undo.NewIndex[string, uint64]()}
}

// Fields carries positions.
func (p *Positions) Fields(c *wire.Codec) {
	wire.Num(c, "front", &p.Front)
	wire.List(c, "behind", &p.Behind, positionFields)
}

func positionFields(c *wire.Codec, p *Position) {
	c.Begin()
	wire.Str(c, "owner", &p.Owner)
	wire.Num(c, "next", &p.Next)
	c.End()
}

// Record takes over the positions that an entry records.
func (d *Delivery) Record(entry uint64, p Positions) {
	r, _ := d.Recorded.Get("")
	if r.Entry = entry; p.Front != 0 {
		r.Front = p.Front
	}
	d.Recorded.Put("", r)
	for _, b := range p.Behind {
		if b.Next == 0 {
			d.Behind.Drop(b.Owner)
			continue
		}
		d.Behind.Put(b.Owner, b.Next)
	}
}

func (d *Delivery) fields(c *wire.Codec) {
	if !c.Reading() {
		recorded := func(p undo.Pair[string, Recorded]) Recorded { return p.Value }
		wire.EachOf(c, "delivered", d.Recorded.Pairs(undo.FreezeOf(c.Freeze), undo.ByKey), recorded, recordedFields)
		behind := func(p undo.Pair[string, uint64]) Position { return Position{p.Key, p.Value} }
		wire.EachOf(c, "behind", d.Behind.Pairs(undo.FreezeOf(c.Freeze), undo.ByKey), behind, positionFields)
		return
	}
	var recorded []Recorded
	wire.List(c, "delivered", &recorded, recordedFields)
	for _, r := range recorded {
		d.Recorded.M[""] = r
	}
	var behind []Position
	wire.List(c, "behind", &behind, positionFields)
	for _, p := range behind {
		d.Behind.M[p.Owner] = p.Next
	}
}

func recordedFields(c *wire.Codec, r *Recorded) {
	c.Begin()
	wire.Num(c, "entry", &r.Entry)
	wire.Num(c, "front", &r.Front)
	c.End()
}
