package detector

import (
	"context"
	"sync"
	"time"

	"github.com/agentnet/netctl/netkit/btdt"
)

// answerTime is how long a detector may take for one text.
const answerTime = 10 * time.Second

// memo remembers answers, so that a text is sent once however often it is scrubbed.
type memo struct {
	mu     sync.Mutex
	known  map[question][]btdt.Finding
	missed int
}

type question struct{ path, text, language string }

// maxKnown bounds how many answers are remembered; all are forgotten at once.
const maxKnown = 1000

// ask returns the findings on a text, from fetch if they are not known. One text is
// asked about at a time.
func (m *memo) ask(ctx context.Context, q question, name string, fetch func(context.Context, question) ([]byte, error)) ([]btdt.Finding, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if found, ok := m.known[q]; ok {
		return found, nil
	}
	answer, err := fetch(ctx, q)
	if err != nil {
		return nil, err
	}
	found, missed, err := findings(answer, q.text, name)
	if err != nil {
		return nil, err
	}
	if m.known == nil || len(m.known) >= maxKnown {
		m.known = map[question][]btdt.Finding{}
	}
	m.known[q] = found
	m.missed += missed
	return found, nil
}

// Missed is how many quotations the texts did not hold.
func (m *memo) Missed() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.missed
}
