package bench

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"time"
)

// tps is the rate in the output of pgbench.
var tps = regexp.MustCompile(`(?m)^tps = ([0-9.]+) `)

// tpcb runs pgbench's TPC-B with prepared statements, and returns the transactions a
// second.
func (cfg *Engine) tpcb(ctx context.Context) (float64, error) {
	seconds := strconv.Itoa(int(cfg.tpcbSpan() / time.Second))
	out, err := exec.CommandContext(ctx, "pgbench", "--no-vacuum", "--protocol=prepared", "--client="+strconv.Itoa(cfg.Connections), "--jobs=2", "--time="+seconds, cfg.TPCB).Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		err = fmt.Errorf("%w: %s", err, failed.Stderr)
	}
	if err != nil {
		return 0, fmt.Errorf("bench: pgbench: %w", err)
	}
	found := tps.FindSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("bench: pgbench names no rate: %s", out)
	}
	return strconv.ParseFloat(string(found[1]), 64)
}
