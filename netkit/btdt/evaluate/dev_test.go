package evaluate

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

func TestDev(t *testing.T) {
	f, err := os.Open(os.Getenv("GOLD"))
	if err != nil {
		t.Skip()
	}
	ex, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	r := Measure(ex, func() time.Duration { return time.Since(start) })
	only := os.Getenv("ONLY")
	for _, m := range r.Misses {
		if only != "" && !strings.Contains(only, m.Kind+":"+m.Type) && !strings.Contains(only, m.Kind+":*") {
			continue
		}
		text := ""
		for _, e := range ex {
			if e.ID == m.ID {
				text = string(textsOf(e.book)[m.Path])
			}
		}
		fmt.Printf("%s %s %s %q | %s\n", m.ID, m.Kind, m.Type, m.Text, text)
	}
	for _, row := range r.Rows {
		if row.Gold+row.Findings > 0 {
			fmt.Printf("%-12s gold %4d recall %6.2f chars %6.2f findings %4d precision %6.2f private %d\n", row.Type, row.Gold, row.Recall, row.Chars, row.Findings, row.Precision, row.Private)
		}
	}
	fmt.Printf("keep %d touched %d clean %d changed %d MB/s %.2f ms %.3f\n", r.Keep, r.Touched, r.Clean, r.CleanChanged, r.MBPerSecond, r.MillisEach)
}
