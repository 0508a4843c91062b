package main

import (
	"fmt"
	"strings"

	"github.com/agentnet/netctl/netkit"
)

// readObject reads the JSON object that a flag gave.
func readObject(to *netkit.JSON, flag, text string) error {
	if err := to.UnmarshalText([]byte(text)); err != nil {
		return usage(fmt.Errorf("--%s %s", flag, strings.TrimPrefix(err.Error(), "netkit: ")))
	}
	return nil
}
