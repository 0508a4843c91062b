package web

import (
	"crypto/rand"
	"net/http"
	"sync"
	"time"
)

const (
	sessionIdle = time.Hour      // without a request
	sessionLife = 12 * time.Hour // whatever happens
	maxSessions = 10_000         // then the one unused longest goes
	sessionEach = 20             // of one party, so that nobody signs the others out
)

// session keeps a visitor's token on this side: the browser holds a random
// id, and no script can read that.
type session struct {
	token       string
	owner       string    // slug of whose token it is
	since, seen time.Time // guarded by sessions

	mu    sync.Mutex
	note  string // what the last form did, shown once
	fresh secret // made for the visitor, shown once
}

// secret is what a form made for the visitor and a page shows once.
type secret struct {
	kind secretKind
	text string
}

type secretKind int

const (
	noSecret secretKind = iota
	bearerToken
	webhookSecret
	invitationLink
)

func (s *session) setNote(n string) { s.mu.Lock(); s.note = n; s.mu.Unlock() }

func (s *session) takeNote() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.note
	s.note = ""
	return n
}

// takeFresh returns a new secret of that kind, once.
func (s *session) takeFresh(kind secretKind) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fresh.kind != kind {
		return ""
	}
	text := s.fresh.text
	s.fresh = secret{}
	return text
}

// sessions are those of this process. They end with it.
type sessions struct {
	mu  *sync.Mutex
	by  map[string]*session
	now func() time.Time
}

func newSessions(now func() time.Time) sessions {
	return sessions{mu: new(sync.Mutex), by: map[string]*session{}, now: now}
}

// begin makes a session for a token and returns its id.
func (ss *sessions) begin(s *session) string {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	now := ss.now()
	own := 0
	for id, other := range ss.by {
		if other.over(now) {
			delete(ss.by, id)
		} else if other.owner == s.owner {
			own++
		}
	}
	if own >= sessionEach {
		ss.drop(func(other *session) bool { return other.owner == s.owner })
	}
	if len(ss.by) >= maxSessions {
		ss.drop(func(*session) bool { return true })
	}
	id := rand.Text() + rand.Text() // 256 bits
	s.since, s.seen = now, now
	ss.by[id] = s
	return id
}

// drop ends the one session among some that was unused longest.
func (ss *sessions) drop(among func(*session) bool) {
	var oldest string
	for id, s := range ss.by {
		if o, ok := ss.by[oldest]; among(s) && (!ok || s.seen.Before(o.seen)) {
			oldest = id
		}
	}
	delete(ss.by, oldest)
}

func (s *session) over(now time.Time) bool {
	return now.Sub(s.seen) >= sessionIdle || now.Sub(s.since) >= sessionLife
}

// find returns the session of an id, nil when there is none any more.
func (ss *sessions) find(id string) *session {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	s, ok := ss.by[id]
	if !ok {
		return nil
	}
	now := ss.now()
	if s.over(now) {
		delete(ss.by, id)
		return nil
	}
	s.seen = now
	return s
}

func (ss *sessions) end(id string) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	delete(ss.by, id)
}

// recognise finds out who asks. A token that was revoked ends its session.
func (p *Pages) recognise(v *request) {
	c, err := v.r.Cookie(p.cookieName(v.r))
	if err != nil {
		p.recogniseProgram(v)
		return
	}
	s := p.sessions.find(c.Value)
	if s == nil {
		return
	}
	who, err := p.net.Authenticate(s.token)
	if err != nil {
		p.sessions.end(c.Value)
		return
	}
	v.session, v.who = s, who
}

// recogniseProgram lets a program that reads Markdown show its token. Pages for
// people take none: what a browser sends by itself is the cookie.
func (p *Pages) recogniseProgram(v *request) {
	if v.r.Method == http.MethodPost || !wantsMarkdown(v.r) {
		return
	}
	if token, ok := bearer(v.r); ok {
		if who, err := p.net.Authenticate(token); err == nil {
			v.session, v.who = &session{token: token, owner: who.Slug}, who
		}
	}
}

// admit begins a session for a token that is a good one. Whoever had a
// session leaves it, so that no id outlives a change of who asks.
func (p *Pages) admit(v *request, s *session) error {
	who, err := p.net.Authenticate(s.token)
	if err != nil {
		return err
	}
	p.forget(v)
	s.owner = who.Slug
	id := p.sessions.begin(s)
	http.SetCookie(v.w, p.cookie(v.r, id, int(sessionLife/time.Second)))
	v.session, v.who = s, who
	return nil
}

func (p *Pages) forget(v *request) {
	if c, err := v.r.Cookie(p.cookieName(v.r)); err == nil {
		p.sessions.end(c.Value)
	}
	v.session, v.who = nil, nil
}

// secure reports whether a visitor comes by https.
func (p *Pages) secure(r *http.Request) bool { return p.cfg.Secure || r.TLS != nil }

// cookieName has browsers refuse, where they can, a cookie that a neighbour
// under the same domain sets to have a visitor act in a session of its own.
func (p *Pages) cookieName(r *http.Request) string {
	if p.secure(r) {
		return secureCookie
	}
	return plainCookie
}

const (
	plainCookie  = "netctl_session"
	secureCookie = "__Host-netctl_session"
)

// SessionCookie reports whether a cookie of that name holds a session of these
// pages.
func SessionCookie(name string) bool { return name == plainCookie || name == secureCookie }

func (p *Pages) cookie(r *http.Request, id string, age int) *http.Cookie {
	return &http.Cookie{Name: p.cookieName(r), Value: id, Path: "/", MaxAge: age, HttpOnly: true, Secure: p.secure(r), SameSite: http.SameSiteStrictMode}
}

func (s *session) setFresh(kind secretKind, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fresh = secret{kind, text}
}
