// Plants adds a plant to the store.
//
//	go run ./examples/plants -url http://127.0.0.1:8787 -token nk_…
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"

	"github.com/agentnet/netctl/plantclient"
)

func main() {
	url := flag.String("url", "http://127.0.0.1:8787", "address of the store")
	token := flag.String("token", "", "bearer token with the scope plants")
	flag.Parse()
	store, err := plantclient.New(plantclient.Config{BaseURL: *url, Token: *token})
	if err != nil {
		log.Fatal(err)
	}
	plant, err := store.CreatePlant(context.Background(), plantclient.NewPlant{ID: 7, Name: "Monstera", Tag: "climber"})
	var refused *plantclient.Error
	switch {
	case errors.As(err, &refused):
		fmt.Printf("refused with code %d: %s\n", refused.Code, refused.Message)
	case err != nil:
		log.Fatal(err)
	default:
		fmt.Printf("planted %s (%s)\n", plant.Name, plant.Tag)
	}
}
