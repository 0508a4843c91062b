package web

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/agentnet/netctl/netkit"
)

const (
	sessionIdle    = time.Hour       // without a request
	sessionLife    = 12 * time.Hour  // whatever happens
	sessionRenewed = 5 * time.Minute // age at which a request gets a new cookie

	maxSessions  = 10_000  // that are kept for their notes; then the one unused longest goes
	sessionEach  = 20      // of one party, so that the others keep theirs
	maxSignedOut = 100_000 // that are remembered until they would have ended
	maxCookie    = 2048    // bytes
)

// session is a visitor's. The browser holds the token sealed, in a cookie that no
// script can read.
type session struct {
	id          string
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

// sessions are the visitors' sessions. Each is in its cookie, sealed, so that it
// outlives this process and every process with the same key knows it. Kept here are
// only what the next page shows once, and which sessions were signed out: another
// process, or the next one, learns of that only when the token ends, or the session.
type sessions struct {
	mu     *sync.Mutex
	seal   cipher.AEAD
	by     map[string]*session  // by id
	signed map[string]time.Time // out, by id: when the cookie would have ended
	now    func() time.Time
}

// newSessions makes the sessions of a key of 32 bytes.
func newSessions(key []byte, now func() time.Time) (sessions, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return sessions{}, fmt.Errorf("web: the key of sessions: %w", err)
	}
	seal, err := cipher.NewGCMWithRandomNonce(block)
	return sessions{mu: new(sync.Mutex), seal: seal, by: map[string]*session{}, signed: map[string]time.Time{}, now: now}, err
}

// sealedSession is what a cookie holds.
type sealedSession struct {
	ID    string    `json:"id"`
	Token string    `json:"token"`
	Since time.Time `json:"since"`
	Seen  time.Time `json:"seen"`
}

// cookieUse is bound to what is sealed, which is good for nothing else.
const cookieUse = "netctl session, form 1"

// value returns the cookie of a session.
func (ss *sessions) value(s *session) string {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	text, _ := json.Marshal(sealedSession{s.id, s.token, s.since, s.seen}) // texts and times marshal
	return base64.RawURLEncoding.EncodeToString(ss.seal.Seal(nil, nil, text, []byte(cookieUse)))
}

// open returns the session of a cookie, false for one that was not sealed here.
func (ss *sessions) open(value string) (in sealedSession, ok bool) {
	if len(value) > maxCookie {
		return in, false
	}
	b, err := base64.RawURLEncoding.DecodeString(value)
	if err != nil {
		return in, false
	}
	text, err := ss.seal.Open(nil, nil, b, []byte(cookieUse))
	return in, err == nil && json.Unmarshal(text, &in) == nil
}

// begin makes a session for a token and returns its cookie.
func (ss *sessions) begin(s *session) string {
	s.id = rand.Text() // 128 bits
	now := ss.now().UTC()
	s.since, s.seen = now, now
	ss.keep(s)
	return ss.value(s)
}

// keep remembers a session of this process.
func (ss *sessions) keep(s *session) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if ss.by[s.id] != nil {
		return
	}
	now, own := ss.now(), 0
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
	ss.by[s.id] = s
}

// drop forgets what is kept of the one session among some that was unused longest.
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

// find returns the session of a cookie, nil where it has ended. Stale means that the
// visitor needs a new cookie, which knows of this request.
func (ss *sessions) find(value string) (s *session, stale bool) {
	in, ok := ss.open(value)
	if !ok {
		return nil, false
	}
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if _, out := ss.signed[in.ID]; out {
		return nil, false
	}
	if s = ss.by[in.ID]; s == nil {
		s = &session{id: in.ID, token: in.Token, since: in.Since, seen: in.Seen}
	}
	if in.Seen.After(s.seen) { // by another process
		s.seen = in.Seen
	}
	now := ss.now().UTC()
	if s.over(now) {
		delete(ss.by, in.ID)
		return nil, false
	}
	s.seen = now
	return s, now.Sub(in.Seen) >= sessionRenewed
}

// end signs the session of a cookie out.
func (ss *sessions) end(value string) {
	in, ok := ss.open(value)
	if !ok {
		return
	}
	ss.mu.Lock()
	defer ss.mu.Unlock()
	delete(ss.by, in.ID)
	now := ss.now()
	maps.DeleteFunc(ss.signed, func(_ string, over time.Time) bool { return !now.Before(over) })
	if len(ss.signed) < maxSignedOut {
		ss.signed[in.ID] = in.Since.Add(sessionLife)
	}
}

// recognise finds out who asks. A token that was revoked ends its session.
func (p *Pages) recognise(v *request) {
	c, err := v.r.Cookie(p.cookieName(v.r))
	if err != nil {
		p.recogniseProgram(v)
		return
	}
	s, stale := p.sessions.find(c.Value)
	if s == nil {
		return
	}
	who, err := p.net.Authenticate(s.token)
	if errors.Is(err, netkit.ErrUnauthenticated) {
		p.sessions.end(c.Value)
	}
	if err != nil {
		return
	}
	if s.owner == "" { // a session that is kept has its owner, and other requests read it
		s.owner = who.Slug
	}
	p.sessions.keep(s)
	if stale {
		http.SetCookie(v.w, p.cookie(v.r, p.sessions.value(s), int(sessionLife/time.Second)))
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
