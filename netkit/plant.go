package netkit

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
