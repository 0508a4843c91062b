//go:build unix

package fleet

import (
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"
)

// The writer of three processes is killed under load: another one writes on, and
// nothing that was acknowledged is lost or there twice.
func TestAKilledWriterIsReplaced(t *testing.T) {
	for _, f := range engines {
		t.Run(f.name, func(t *testing.T) { killWriters(t, f.start(t, layout{})) })
	}
}

func killWriters(t *testing.T, c *fleet) {
	var took []time.Duration
	for round := range nodeRounds() {
		v := c.writer()
		stop := c.load(fmt.Sprintf("kill-%d", round), c.others(v))
		c.await(time.Now())
		killed := time.Now()
		v.Kill()
		took = append(took, c.await(killed.Add(50*time.Millisecond))+50*time.Millisecond)
		stop()
		v.Start()
	}
	logSpans(t, "from SIGKILL to the next acknowledged write", took)
	c.check()
}

// A writer that is paused and continues acknowledges nothing of its own, and answers
// no read from the past without its lag.
func TestAPausedWriterFollows(t *testing.T) {
	for _, f := range engines {
		t.Run(f.name, func(t *testing.T) { pauseWriters(t, f.start(t, layout{})) })
	}
}

func pauseWriters(t *testing.T, c *fleet) {
	for round := range nodeRounds() {
		v := c.writer()
		others := c.others(v)
		v.Signal(syscall.SIGSTOP)
		slug := fmt.Sprintf("pause-%d", round)
		c.spawn(t.Context(), slug, others)
		v.Signal(syscall.SIGCONT)
		stop := c.load(slug+"-woken", []*Server{v})
		c.readFresh(v, slug)
		c.await(time.Now())
		stop()
	}
	c.check()
}

// logSpans logs how long some rounds took.
func logSpans(t *testing.T, what string, took []time.Duration) {
	slices.Sort(took)
	soon := 0
	for _, d := range took {
		if d <= time.Second {
			soon++
		}
	}
	if n := len(took); n > 0 {
		t.Logf("%s: %d rounds, median %v, %d within 1 s, longest %v", what, n, took[n/2], soon, took[n-1])
	}
}
