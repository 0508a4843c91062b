package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"

	"github.com/agentnet/netctl/cmd/netctl/bench"
)

// benchStreams measures what open streams cost.
func (c *call) benchStreams(cfg bench.Streams) error {
	cfg.Say, cfg.Dir, cfg.Listen = func(s string) { c.talk("%s", s) }, c.set.v.GetString("data"), listenElsewhere
	r, err := bench.RunStreams(c.ctx, cfg)
	if err != nil || c.set.v.GetString("output") != "table" || c.jq != "" {
		return c.show(r, err)
	}
	printRates(c.app, r.Without, r.With)
	fmt.Fprintf(c.out, "%d executions a second asked: with %d streams over without: %.3f (%.3f to %.3f in %d rounds)\n",
		r.Asked, r.Streams, r.Ratio, r.RatioLow, r.RatioHigh, r.Rounds)
	fmt.Fprintf(c.out, "%.0f events a second delivered in all, %d MiB resident\n", r.Delivered, r.Memory>>20)
	return nil
}

// listenBench is the process that reads the streams of a measurement: it says
// when they are open, and what came once its input ends.
func (c *call) listenBench(addr string, streams int) error {
	l, err := bench.Listen(c.ctx, addr, streams)
	if err != nil {
		return err
	}
	fmt.Fprintln(c.out, "open")
	_, _ = io.Copy(io.Discard, c.in) // however the input ends
	heard, err := l.Close()
	return errors.Join(err, json.NewEncoder(c.out).Encode(heard))
}

// elsewhere is a process of this program that reads streams.
type elsewhere struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// listenElsewhere opens streams in another process, whose memory and files do
// not count for the server.
func listenElsewhere(ctx context.Context, addr string, streams int) (bench.Listening, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	e := &elsewhere{cmd: exec.CommandContext(ctx, self, "bench", "--listen", addr, "--streams", strconv.Itoa(streams))}
	e.cmd.Stderr = os.Stderr
	if e.in, err = e.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	e.out = bufio.NewReader(out)
	if err := e.cmd.Start(); err != nil {
		return nil, err
	}
	if line, err := e.out.ReadString('\n'); line != "open\n" {
		return nil, errors.Join(errors.New("the process that reads the streams did not open them"), err, e.in.Close(), e.cmd.Wait())
	}
	return e, nil
}

// Close implements [bench.Listening].
func (e *elsewhere) Close() (heard bench.Heard, err error) {
	err = errors.Join(e.in.Close(), json.NewDecoder(e.out).Decode(&heard))
	return heard, errors.Join(err, e.cmd.Wait())
}
