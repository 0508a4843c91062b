package score

import (
	"fmt"
	"testing"
)

var sizes = []int{10, 100, 1000}

func BenchmarkDiversity(b *testing.B) {
	for _, n := range sizes {
		edges := make([]Edge, n)
		for i := range edges {
			edges[i] = Edge{In: int64(1000 + 37*i), Out: int64(i % 7 * 100), Listed: i%50 == 49}
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				diversity(edges)
			}
		})
	}
}

func BenchmarkReputation(b *testing.B) {
	for _, n := range sizes {
		pairs := make([]Pair, n)
		for i := range pairs {
			pairs[i] = Pair{R: int64(50 * (i % 900)), S: int64(50 * (i % 30))}
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				reputation(pairs)
			}
		})
	}
}

func BenchmarkSettle(b *testing.B) {
	b.ReportAllocs()
	p := Payment{Gross: 200, Net: 170, Backing: 10_000}
	for b.Loop() {
		Settle(p, dayCap, quarter)
	}
}
