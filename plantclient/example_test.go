package plantclient_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/agentnet/netctl/plantclient"
)

// A store that knows one id and refuses it a second time.
func Example() {
	known := false
	store := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Println(r.Method, r.URL.Path, strings.TrimSpace(string(body)))
		if known {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error": 3, "message": "a plant with this id exists"}`)
			return
		}
		known = true
		fmt.Fprint(w, `{"name": "Monstera", "tag": "indoor"}`)
	}))
	defer store.Close()

	client, err := plantclient.New(plantclient.Config{BaseURL: store.URL, Token: "secret"})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	plant, err := client.CreatePlant(ctx, plantclient.NewPlant{ID: 7, Name: "Monstera", Tag: "indoor"})
	fmt.Println(plant.Name, plant.Tag, err)

	_, err = client.CreatePlant(ctx, plantclient.NewPlant{ID: 7, Name: "Monstera"})
	var refusal *plantclient.Error
	if errors.As(err, &refusal) {
		fmt.Println(refusal.Status, refusal.Code, refusal.Message, errors.Is(err, plantclient.ErrInvalid))
	}
	// Output:
	// POST /plants {"id":7,"name":"Monstera","tag":"indoor"}
	// Monstera indoor <nil>
	// POST /plants {"id":7,"name":"Monstera"}
	// 400 3 a plant with this id exists true
}
