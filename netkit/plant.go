package netkit

import (
	"context"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// CreatePlant adds a plant to the store.
type CreatePlant struct {
	ID   int64  `json:"id" doc:"identification number of the plant"`
	Name string `json:"name" doc:"the name of the plant"`
	Tag  string `json:"tag,omitempty" doc:"tag to specify the type"`
}

// Plant is a plant as the store shows it.
type Plant struct {
	Name string `json:"name" doc:"the name of the plant"`
	Tag  string `json:"tag,omitempty" doc:"tag to specify the type"`
}

// maxPlantText is the longest name or tag, in characters.
const maxPlantText = 1000

// checkPlantText counts code points as they were sent, as the document of the
// plant store does.
func checkPlantText(field, text string, least int) error {
	if n := utf8.RuneCountInString(text); n > maxPlantText {
		return invalid(field, code.TextTooLong, fmt.Sprintf("has %d characters, at most %d are allowed", n, maxPlantText), "shorten it")
	}
	return checkText(field, text, least, math.MaxInt)
}

type createPlant struct{ CreatePlant }

func (*createPlant) route() string { return "plant" }

func (c *createPlant) decide(s *state, call *call) error {
	if _, _, err := call.actor(s); err != nil {
		return err
	}
	if _, taken := s.plants.Get(c.ID); taken {
		return &Refusal{Kind: ErrConflict, Code: code.PlantExists, Field: "id", What: "is the id of another plant", Next: "use another id"}
	}
	call.add(&PlantCreated{c.ID})
	return nil
}

func (c *createPlant) fields(k *wire.Codec) {
	wire.Str(k, "name", &c.Name)
	wire.Str(k, "tag", &c.Tag)
}

// PlantCreated records a plant; its name and tag stand in the private part.
type PlantCreated struct{ Plant int64 }

func (*PlantCreated) kind() Kind { return KindPlantCreated }

func (f *PlantCreated) asked(*pastView) (command, error) {
	return &createPlant{CreatePlant{ID: f.Plant}}, nil
}

func (f *PlantCreated) fields(c *wire.Codec) { wire.Num(c, "plant", &f.Plant) }

func (f *PlantCreated) apply(s *state, e *Entry) { s.plants.Put(f.Plant, e.Seq) }

// CreatePlant adds a plant.
//
// Refusals: plant_exists.
func (ses *Session) CreatePlant(ctx context.Context, in CreatePlant) (Plant, error) {
	if err := checkPlantText("name", in.Name, 1); err != nil {
		return Plant{}, err
	}
	if err := checkPlantText("tag", in.Tag, 0); err != nil {
		return Plant{}, err
	}
	c := &createPlant{in}
	return run(ctx, ses, c, c, func(*Entry) Plant { return Plant{in.Name, in.Tag} })
}
