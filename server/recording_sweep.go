package server

import (
	"context"
	"time"
)

// unpublishedFor is how long a recording stays that no dispatch names.
const unpublishedFor = 24 * time.Hour

// SweepRecordings removes recordings and transcripts that no dispatch has named
// for a day, and uploads that broke off, by their age on disk. It returns how
// many files went. Whoever runs a network calls it at the start and each hour.
func (s *Server) SweepRecordings(ctx context.Context) (int, error) {
	if s.audio == nil {
		return 0, nil
	}
	return s.audio.Sweep(ctx, s.published, unpublishedFor)
}
