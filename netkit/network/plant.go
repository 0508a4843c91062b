package network

import (
	"context"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/rules"
)

// maxPlantText is the longest name or tag, in characters.
const maxPlantText = 1000

// checkPlantText counts code points as they were sent, as the document of the
// plant store does.
func checkPlantText(field, text string, least int) error {
	if n := utf8.RuneCountInString(text); n > maxPlantText {
		return netkit.Invalid(field, code.TextTooLong, fmt.Sprintf("has %d characters, at most %d are allowed", n, maxPlantText), "shorten it")
	}
	return netkit.CheckText(field, text, least, math.MaxInt)
}

// CreatePlant adds a plant.
//
// Refusals: plant_exists.
func (ses *Session) CreatePlant(ctx context.Context, in netkit.CreatePlant) (netkit.Plant, error) {
	if err := checkPlantText("name", in.Name, 1); err != nil {
		return netkit.Plant{}, err
	}
	if err := checkPlantText("tag", in.Tag, 0); err != nil {
		return netkit.Plant{}, err
	}
	c := &rules.CreatePlant{CreatePlant: in}
	return run(ctx, ses, c, c)
}
