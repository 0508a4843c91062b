// Testca runs an ACME authority on this machine for first-day.sh. It finds the server
// that it checks at two ports of 127.0.0.1, writes the root of its own certificate and
// that of those it issues, prints the address of its directory, and ends with its
// standard input.
//
//	testca HTTP-PORT TLS-PORT DIRECTORY-ROOT.pem ISSUER-ROOT.pem
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"

	"github.com/agentnet/netctl/server/certs/testca"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(args []string) error {
	if len(args) != 4 {
		return errors.New("usage: testca HTTP-PORT TLS-PORT DIRECTORY-ROOT.pem ISSUER-ROOT.pem")
	}
	plain, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	secure, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	ca, err := testca.Start(plain, secure)
	if err != nil {
		return err
	}
	defer ca.Close()
	if err := errors.Join(os.WriteFile(args[2], ca.Root, 0o600), os.WriteFile(args[3], ca.Issuer, 0o600)); err != nil {
		return err
	}
	fmt.Println(ca.Directory)
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}
