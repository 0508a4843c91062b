package catalog

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// The plant store, which has an OpenAPI document of its own.
var (
	CreatePlant = &Operation{Name: "createPlant", Method: "POST", Path: "/plants", Scope: netkit.ScopePlants,
		Summary: "Create a plant",
		Command: "plants create", Hidden: true,
		Refusals: []string{code.PlantExists}}
	GetPlantsOpenAPI = &Operation{Name: "getPlantsOpenAPI", Method: "GET", Path: "/plants/openapi.json", Scope: Public,
		Summary: "Read the OpenAPI document of the plant store",
		Hidden:  true}
)

var plants = []*Operation{CreatePlant, GetPlantsOpenAPI}
