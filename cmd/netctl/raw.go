package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit/catalog"
)

func apiCommand(a *app) *cobra.Command {
	var body string
	return a.verb(verb{use: "api METHOD PATH", short: "Send a request of your own, as whoever you are", args: exactly("METHOD", "PATH"), changes: true,
		long: `Send a request and print its answer. The token or the folder of the context in
use says who you are, as in any other command, and what changes something
carries an idempotency key. PATH may have a query. /docs on a running server and
/openapi.json list what there is.`,
		flags: func(f *pflag.FlagSet) { f.StringVar(&body, "body", "", "JSON to send"+textHelp) },
		run:   func(c *call) error { return c.raw(strings.ToUpper(c.args[0]), c.args[1], body) }})
}

// raw sends a request as it was given.
func (c *call) raw(method, path, body string) error {
	if err := c.texts(&body); err != nil {
		return err
	}
	if body != "" && !json.Valid([]byte(body)) {
		return usage(errors.New("--body is not JSON"))
	}
	op, err := operationAt(method, path)
	if err != nil {
		return err
	}
	if op != nil && (op.Spends || op.Final) {
		if err := c.confirm("%s, which %s", op.Name, map[bool]string{true: "may spend credits", false: "cannot be undone"}[op.Spends]); err != nil {
			return err
		}
	}
	answer, err := c.net.Do(c.ctx, method, path, json.RawMessage(body))
	if err != nil {
		return err
	}
	if !json.Valid(answer) {
		_, err := fmt.Fprint(c.out, harmless(string(answer)))
		return err
	}
	return c.print(answer)
}

// operationAt finds the operation that a request is for, nil if the catalogue
// has none.
func operationAt(method, path string) (*catalog.Operation, error) {
	r, err := http.NewRequest(method, "http://network"+path, nil)
	if err != nil || !strings.HasPrefix(path, "/") {
		return nil, usage(errors.New("METHOD is one such as GET, and PATH begins with a slash, as in /directory?limit=5"))
	}
	mux := http.NewServeMux()
	for o := range catalog.All() {
		mux.Handle(o.Route(), http.NotFoundHandler())
	}
	_, pattern := mux.Handler(r)
	for o := range catalog.All() {
		if o.Route() == pattern {
			return o, nil
		}
	}
	return nil, nil
}
