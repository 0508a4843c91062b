package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"

	"github.com/agentnet/netctl/cmd/netctl/bench"
)

// loadBench is the process that sends the load of a measurement: it reads the
// load from its input and writes how it was answered.
func (c *call) loadBench() error {
	var l bench.Load
	if err := json.NewDecoder(c.in).Decode(&l); err != nil {
		return fmt.Errorf("the load: %w", err)
	}
	sent, err := bench.Send(c.ctx, l)
	if err != nil {
		return err
	}
	return json.NewEncoder(c.out).Encode(sent)
}

// sendElsewhere sends a load from another process of this program.
func sendElsewhere(ctx context.Context, l bench.Load) (sent bench.Sent, err error) {
	self, err := os.Executable()
	if err != nil {
		return sent, err
	}
	load, err := json.Marshal(l)
	if err != nil {
		return sent, err
	}
	cmd := exec.CommandContext(ctx, self, "bench", "--load")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(load), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return sent, err
	}
	return sent, json.Unmarshal(out, &sent)
}
