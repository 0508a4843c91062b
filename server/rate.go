package server

import (
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/server/clientaddr"
)

// rates are the request rates of a server: of each party with all its tokens,
// of each address without a valid token, of all parties at one address, and of
// spawns.
type rates struct{ party, address, shared, spawn limiter }

func newRates(l Limits, now func() time.Time) rates {
	return rates{newLimiter("party", l.Party, now), newLimiter("address", l.Address, now),
		newLimiter("shared", l.Shared, now), newLimiter("spawn", l.Spawn, now)}
}

// allowParty takes one request from the bucket of the party, and one from the
// bucket that all parties at its address share.
func (r *rates) allowParty(h http.Header, party, address string) error {
	if address != "" {
		if err := r.shared.allow(h, address); err != nil {
			return err
		}
	}
	return r.party.allow(h, party)
}

// chargeParty takes n from both buckets, even below zero, and returns how long
// to wait.
func (r *rates) chargeParty(party, address string, n int) time.Duration {
	wait := r.party.charge(party, n)
	if address != "" {
		wait = max(wait, r.shared.charge(address, n))
	}
	return wait
}

// chargeReading takes from the rate of whoever sent a request what its answer
// required beyond an ordinary one: a request for each Limits.Entries journal
// entries that were read.
func (s *Server) chargeReading(v *request) {
	n := v.effort.Entries() / s.limits().Entries
	switch {
	case n == 0 || localPrincipal(v.r.Context()) != nil:
	case v.principal == nil:
		s.ratesOf(v.write).address.charge(address(v.r), n)
	default:
		s.ratesOf(v.write).chargeParty(v.principal.Slug, v.caller.Source, n)
	}
}

// limiter keeps a token bucket a key. It remembers at most twice remembered
// keys: when the young generation is full it becomes the old one, and what
// was not seen since is forgotten, which forgives and never punishes.
type limiter struct {
	rate   Rate
	name   string // in the RateLimit headers
	policy string
	now    func() time.Time

	mu         *sync.Mutex
	young, old map[string]*rate.Limiter
}

const remembered = 1 << 15

func newLimiter(name string, r Rate, now func() time.Time) limiter {
	window := int(math.Ceil(float64(r.Burst) / r.PerSecond))
	return limiter{rate: r, name: name, now: now, mu: new(sync.Mutex), young: map[string]*rate.Limiter{},
		policy: strconv.Quote(name) + ";q=" + strconv.Itoa(r.Burst) + ";w=" + strconv.Itoa(window)}
}

// allow takes one from the key's bucket and tells the caller in the headers
// what is left.
func (l *limiter) allow(h http.Header, key string) error {
	if l.rate.PerSecond < 0 {
		return nil
	}
	now := l.now()
	b := l.bucket(key)
	ok := b.AllowN(now, 1)
	left := b.TokensAt(now)
	// Seconds until there is one more, or until one may be sent at all.
	wait := (math.Floor(math.Max(0, left)) + 1 - left) / l.rate.PerSecond
	h["Ratelimit-Policy"] = []string{l.policy}
	h["Ratelimit"] = []string{strconv.Quote(l.name) + ";r=" + strconv.Itoa(max(0, int(left))) + ";t=" + strconv.Itoa(int(math.Ceil(wait)))}
	if ok {
		return nil
	}
	return &netkit.Refusal{Kind: netkit.ErrLimit, Code: code.RateLimited, What: "too many requests from this " + l.subject(),
		Next: "wait as long as Retry-After says", After: time.Duration(wait * float64(time.Second))}
}

// charge takes n from the key's bucket, or all that it ever holds, which may go
// below zero, and returns how long to wait until they are there.
func (l *limiter) charge(key string, n int) time.Duration {
	if l.rate.PerSecond < 0 {
		return 0
	}
	now := l.now()
	return l.bucket(key).ReserveN(now, min(n, l.rate.Burst)).DelayFrom(now)
}

func (l *limiter) subject() string {
	if l.name == "party" {
		return "party"
	}
	return "address"
}

func (l *limiter) bucket(key string) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	if b := l.young[key]; b != nil {
		return b
	}
	b := l.old[key]
	if b == nil {
		b = rate.NewLimiter(rate.Limit(l.rate.PerSecond), l.rate.Burst)
	}
	if len(l.young) >= remembered {
		l.young, l.old = map[string]*rate.Limiter{}, l.young
	}
	l.young[key] = b
	return b
}

// address returns the key by which an address limit counts a request.
func address(r *http.Request) string { return clientaddr.Key(r.RemoteAddr) }

// source is the address that a party's requests are counted for, "" for one of
// this machine: a reverse proxy there speaks for everybody.
func source(r *http.Request) string {
	if clientaddr.Loopback(r.RemoteAddr) {
		return ""
	}
	return address(r)
}
