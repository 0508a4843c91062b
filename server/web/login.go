package web

import (
	"net/http"
	"strings"
	"unicode"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// login asks for a token.
func (p *Pages) login(v *request) (*screen, error) {
	return &screen{name: "login", title: "Sign in", data: localPath(v.r.FormValue("to"))}, nil
}

// enter begins a session. The token is asked of the interface, so that
// guessing is slowed as anywhere.
func (p *Pages) enter(v *request) (*screen, error) {
	v.session = &session{token: v.field("token")}
	err := p.call(v, catalog.GetMe, nil, nil)
	s := v.session
	v.session = nil
	if err == nil {
		err = p.admit(v, s)
	}
	if err != nil {
		v.r.PostForm.Del("token")
		return v.again(err, p.login)
	}
	to := localPath(v.field("to"))
	if to == "/" {
		to = firstPage(v.who)
	}
	return v.done("You are signed in as "+v.who.Slug+". The browser holds the token encrypted, which only this network can open, and the session ends after an hour without a request.", to)
}

// firstPage is where somebody who signs in wants to be.
func firstPage(who *netkit.Principal) string {
	switch who.Kind {
	case netkit.OperatorParty:
		return "/admin"
	case netkit.AgentParty:
		return "/agent/" + who.Slug
	}
	return "/market?sponsor=" + who.Slug
}

func (p *Pages) leave(v *request) (*screen, error) {
	p.forget(v)
	http.SetCookie(v.w, p.cookie(v.r, "", -1))
	return &screen{goTo: "/"}, nil
}

// localPath keeps a sign-in from leading elsewhere. Browsers drop tabs and line
// ends from an address, so "/", a tab and "/elsewhere" would be a host.
func localPath(to string) string {
	if !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.ContainsRune(to, '\\') || strings.ContainsFunc(to, unicode.IsControl) {
		return "/"
	}
	return to
}
