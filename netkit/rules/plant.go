package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

type CreatePlant struct{ netkit.CreatePlant }

func (*CreatePlant) Route() string { return "plant" }

func (c *CreatePlant) Decide(s *State, call *Call) error {
	if _, _, err := call.Actor(s); err != nil {
		return err
	}
	if _, taken := s.plants.Get(c.ID); taken {
		return &netkit.Refusal{Kind: netkit.ErrConflict, Code: code.PlantExists, Field: "id", What: "is the id of another plant", Next: "use another id"}
	}
	call.Add(&PlantCreated{c.ID})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (c *CreatePlant) Receipt(*Entry) netkit.Plant { return netkit.Plant{Name: c.Name, Tag: c.Tag} }

func (c *CreatePlant) Fields(k *wire.Codec) {
	wire.Str(k, "name", &c.Name)
	wire.Str(k, "tag", &c.Tag)
}

// PlantCreated records a plant; its name and tag stand in the private part.
type PlantCreated struct{ Plant int64 }

func (*PlantCreated) Kind() netkit.Kind { return netkit.KindPlantCreated }

func (f *PlantCreated) CommandOf(*PastView) (Command, error) {
	return &CreatePlant{netkit.CreatePlant{ID: f.Plant}}, nil
}

func (f *PlantCreated) Fields(c *wire.Codec) { wire.Num(c, "plant", &f.Plant) }

func (f *PlantCreated) Apply(s *State, e *Entry) { s.plants.Put(f.Plant, e.Seq) }
