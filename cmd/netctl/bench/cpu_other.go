//go:build !unix

package bench

import "time"

// cpu is not known here.
func cpu() (spent time.Duration, switches int64) { return 0, 0 }
