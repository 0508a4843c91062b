// Command names is a detector for netctl btdt that finds the names of a list, such as
// those of your clients:
//
//	go build -o names ./examples/detectors/names
//	netctl config set btdt.detector "./names clients.txt"
//
// The file has one name a line. Each line on standard input is {"path", "text",
// "language"}; each line on standard output is a list of findings, as
// quotations, which netctl looks for in the text.
package main

import (
	"encoding/json"
	"log"
	"os"
	"strings"
)

type finding struct {
	EntityType string  `json:"entity_type"`
	Text       string  `json:"text"`
	Score      float64 `json:"score"`
}

func main() {
	list, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for in.More() {
		var given struct{ Text string }
		if err := in.Decode(&given); err != nil {
			log.Fatal(err)
		}
		found := []finding{}
		for name := range strings.Lines(string(list)) {
			if name = strings.TrimSpace(name); name != "" && strings.Contains(strings.ToLower(given.Text), strings.ToLower(name)) {
				found = append(found, finding{"NAME", name, 1})
			}
		}
		if err := out.Encode(found); err != nil {
			log.Fatal(err)
		}
	}
}
