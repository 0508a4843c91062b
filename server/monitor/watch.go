package monitor

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/server"
)

// Watched is the network that a monitor watches. Network and Server are required.
type Watched struct {
	Network *network.Network
	Server  *server.Server
	Dir     string                 // of the journal, for its size; "" leaves that out
	Now     func() time.Time       // nil means time.Now
	Free    func() (uint64, error) // free bytes on the disk of Dir; nil leaves that out
}

// Watch adds the metrics and the conditions of a network. Call it once.
func (m *Monitor) Watch(w Watched) {
	if w.Now == nil {
		w.Now = time.Now
	}
	m.Gauge("netctl_journal_entries", "Durable entries of the journal.", func() float64 { return float64(w.Network.Health().Entries) })
	m.Gauge("netctl_writing", "1 while the network can write, else 0.", func() float64 { return truth(w.Network.Health().Writing) })
	m.Gauge("netctl_queue_age_seconds", "How long the oldest command in the queue may have waited.", func() float64 { return w.Network.QueueAge().Seconds() })
	m.Gauge("netctl_streams", "Open event streams.", func() float64 { return float64(w.Server.Streams()) })
	m.Gauge("netctl_nights_open", "Days that are over and not closed yet.", w.nightsOpen)
	m.Gauge("netctl_conservation_credits", "Sum of all accounts, asked at most once a minute. It must be 0.", w.conservation())
	if w.Dir != "" {
		m.Gauge("netctl_journal_bytes", "Size of the journal with its write-ahead log.", w.journalBytes)
	}
	if w.Free != nil {
		m.Gauge("netctl_free_bytes", "Free space on the disk of the folder, -1 where that is unknown.", func() float64 {
			free, err := w.Free()
			if err != nil {
				return -1
			}
			return float64(free)
		})
	}
	m.registry.MustRegister(lanes{w.Server})
	m.Ready(Check{Name: "writing", Waits: func() string {
		if w.Network.Health().Writing {
			return ""
		}
		return "the journal cannot be written, or the clock is behind it; the log has the reason"
	}})
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// nightsOpen returns how many days are over and not closed, -1 where that cannot
// be read.
func (w *Watched) nightsOpen() float64 {
	report, err := w.Network.As(netkit.NetworkActor).LastNight(context.Background())
	if err != nil {
		return -1
	}
	return float64(len(report.Open))
}

// conservation returns a function that returns the sum of all accounts, of at most
// a minute ago.
func (w *Watched) conservation() func() float64 {
	var mu sync.Mutex
	var at time.Time
	var sum float64
	return func() float64 {
		mu.Lock()
		defer mu.Unlock()
		if now := w.Now(); at.IsZero() || now.Sub(at) >= time.Minute {
			books, err := w.Network.As(netkit.NetworkActor).Conservation(context.Background())
			if err != nil {
				return sum
			}
			at, sum = now, float64(books.Sum)/float64(netkit.Credit)
		}
		return sum
	}
}

// journalBytes returns the size of the journal's files, without those that are
// missing.
func (w *Watched) journalBytes() float64 {
	var sum int64
	for _, name := range []string{"journal.db", "journal.db-wal"} {
		if st, err := os.Stat(filepath.Join(w.Dir, name)); err == nil {
			sum += st.Size()
		}
	}
	return float64(sum)
}

// lanes are the webhooks that wait, by lane.
type lanes struct{ server *server.Server }

var lanesMetric = prometheus.NewDesc("netctl_webhooks_waiting", "Webhooks that wait for a sender, by lane.", []string{"lane"}, nil)

// Describe implements prometheus.Collector.
func (lanes) Describe(c chan<- *prometheus.Desc) { c <- lanesMetric }

// Collect implements prometheus.Collector.
func (l lanes) Collect(c chan<- prometheus.Metric) {
	for lane, n := range l.server.WebhooksWaiting() {
		c <- prometheus.MustNewConstMetric(lanesMetric, prometheus.GaugeValue, float64(n), lane)
	}
}
