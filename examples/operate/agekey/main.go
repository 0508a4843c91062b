// Command agekey writes an identity of age to a new file and prints its public key,
// as age-keygen does, for machines without it.
package main

import (
	"fmt"
	"log"
	"os"

	"filippo.io/age"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: agekey FILE")
	}
	id, err := age.GenerateX25519Identity()
	if err != nil {
		log.Fatal(err)
	}
	f, err := os.OpenFile(os.Args[1], os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := fmt.Fprintln(f, id); err != nil {
		log.Fatal(err)
	}
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(id.Recipient())
}
