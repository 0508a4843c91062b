package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netclient"
	"github.com/agentnet/netctl/tui"
)

// contextPlaces are the contexts, as the screens turn to them.
type contextPlaces struct {
	*call
	now    target // opened last
	client *netclient.Client
}

// Names implements tui.Places.
func (p *contextPlaces) Names() ([]string, error) {
	all, err := p.contexts()
	if err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(all))
	here := p.here()
	for _, name := range names {
		if p.shows(all[name]) {
			here = name
			break
		}
	}
	return append([]string{here}, slices.DeleteFunc(names, func(name string) bool { return name == here })...), nil
}

// here is the network that is shown, by its folder or its address.
func (p *contextPlaces) here() string { return cmp.Or(p.now.data, p.now.url) }

// shows reports whether a context is the network that is shown.
func (p *contextPlaces) shows(e contextEntry) bool {
	if e.URL != "" {
		return p.now.data == "" && e.URL == p.now.url && e.Token == p.now.token
	}
	dir := e.Data
	if dir == "" {
		var err error
		if dir, err = p.dataDir(); err != nil {
			return false
		}
	}
	t, err := p.folder(dir)
	return err == nil && t.data == p.now.data
}

// entry is a context, or the network that is shown where it has no name.
func (p *contextPlaces) entry(name string) (contextEntry, error) {
	if name != p.here() {
		return p.contextNamed(name)
	}
	if p.now.data != "" {
		return contextEntry{Data: p.now.data}, nil
	}
	return contextEntry{URL: p.now.url, IntentURL: p.now.intent, Token: p.now.token}, nil
}

// Open implements tui.Places.
func (p *contextPlaces) Open(ctx context.Context, name, as, token string) (tui.Config, error) {
	e, err := p.entry(name)
	if err != nil {
		return tui.Config{}, err
	}
	switch {
	case e.URL == "" && token != "":
		return tui.Config{}, fmt.Errorf("%s is a folder on this machine and needs no token; say whom to act as", name)
	case e.URL != "" && as != "":
		return tui.Config{}, fmt.Errorf("%s is not on this machine: the token says who acts", name)
	case token != "":
		if _, err := netkit.ParseToken(token); err != nil {
			return tui.Config{}, err
		}
		if name, err = p.keepApart(ctx, name, &e, token); err != nil {
			return tui.Config{}, err
		}
	}
	if name == p.here() {
		flag := "--url"
		if p.now.data != "" {
			flag = "--data"
		}
		return p.reach(ctx, p.now, as, withAs([]string{flag, name}, as))
	}
	t, err := p.named(name)
	if err != nil {
		return tui.Config{}, err
	}
	if e.URL != "" {
		t.token = cmp.Or(token, e.Token, t.token)
	}
	return p.reach(ctx, t, as, withAs([]string{"--context", name}, as))
}

// withAs adds who acts to the flags that say where.
func withAs(args []string, as string) []string {
	if as == "" {
		return args
	}
	return append(args, "--as", as)
}

// keepApart keeps a token with a context: with the one that was named, or where
// that keeps another token already, or is none, with one of its own, named after
// its owner.
func (p *contextPlaces) keepApart(ctx context.Context, name string, e *contextEntry, token string) (string, error) {
	if e.Token != "" && e.Token != token || name == p.here() {
		client, err := p.app.client(target{url: e.URL, intent: e.IntentURL, token: token}, nil)
		if err != nil {
			return name, err
		}
		me, err := client.OwnProfile(ctx)
		if err != nil {
			return name, err
		}
		at, err := url.Parse(e.URL)
		if err != nil {
			return name, err
		}
		name = me.Slug + "@" + at.Host
	}
	e.Token = token
	return name, p.keepToken(name, *e, token)
}

// Add implements tui.Places.
func (p *contextPlaces) Add(name, where string) error {
	all, err := p.contexts()
	if err != nil {
		return err
	}
	if _, taken := all[name]; taken {
		return fmt.Errorf("there is a context %s already; give another name", name)
	}
	var e contextEntry
	if strings.Contains(where, "://") {
		e.URL = where
		_, err = p.app.client(target{url: where}, nil)
	} else {
		e.Data, err = filepath.Abs(where)
	}
	if err != nil {
		return err
	}
	all[name] = e
	return p.keepContexts(all)
}

// Spawn implements tui.Places. The token is kept with a context of its own
// before it is sent, so that no answer that is lost loses the agent.
func (p *contextPlaces) Spawn(ctx context.Context, in netkit.Spawn, invitation string) (tui.Config, error) {
	token, err := newToken()
	if err != nil {
		return tui.Config{}, err
	}
	hash, name := token.SHA256(), ""
	in.TokenSHA256 = &hash
	if p.now.data == "" {
		at, err := url.Parse(p.now.url)
		if err != nil {
			return tui.Config{}, err
		}
		name = in.Slug + "@" + at.Host
		if err := p.keepSpawn(name, contextEntry{URL: p.now.url, IntentURL: p.now.intent, Token: token.String()}, &in); err != nil {
			return tui.Config{}, err
		}
	}
	if _, err := p.client.Spawn(netclient.WithInvitation(ctx, invitation), in); err != nil {
		var refused *netkit.Refusal
		if errors.As(err, &refused) && name != "" { // it was not done
			err = errors.Join(err, p.forget(name))
		}
		return tui.Config{}, err
	}
	if name == "" {
		return p.reach(ctx, p.now, in.Slug, []string{"--data", p.now.data, "--as", in.Slug})
	}
	return p.Open(ctx, name, "", "")
}

// keepSpawn keeps a token with a context, or takes the one of a spawn before
// whose answer was lost.
func (p *contextPlaces) keepSpawn(name string, e contextEntry, in *netkit.Spawn) error {
	all, err := p.contexts()
	if err != nil {
		return err
	}
	if old, again := all[name]; again {
		token, err := netkit.ParseToken(old.Token)
		if err != nil {
			return fmt.Errorf("the context %s is in the way: netctl ctx rm %s", name, name)
		}
		hash := token.SHA256()
		in.TokenSHA256 = &hash
		return nil
	}
	all[name] = e
	return p.keepContexts(all)
}

func (p *contextPlaces) forget(name string) error {
	all, err := p.contexts()
	if err != nil {
		return err
	}
	delete(all, name)
	return p.keepContexts(all)
}

// reach opens a network for the screens, and serves it meanwhile if it is a
// folder that nobody serves.
func (p *contextPlaces) reach(ctx context.Context, t target, as string, args []string) (cfg tui.Config, err error) {
	end, err := p.serveMeanwhile(t)
	if err != nil {
		return cfg, err
	}
	where, err := p.connectTo(ctx, t, as, false)
	if err != nil {
		return cfg, errors.Join(err, end())
	}
	cfg, client, err := p.faces(where)
	if err != nil {
		return cfg, errors.Join(err, where.close(), end())
	}
	p.now, p.client = t, client
	if t.data != "" {
		p.now.url, p.now.intent = where.target.url, where.target.intent
	}
	cfg.Where, cfg.Args, cfg.Auth = where.where, args, p.authorization(t, as)
	cfg.Close = func() error { return errors.Join(where.close(), end()) }
	cfg.Prove = func(ctx context.Context, seq uint64, file []byte) (string, error) {
		_, in := p.captured(ctx, client)
		return fmt.Sprintf("✓ the network's key signed a journal that holds entry %d", seq), in.checkProof(file, seq)
	}
	cfg.Why = func(ctx context.Context, what string) (string, error) {
		out, in := p.captured(ctx, client, what)
		err := in.why()
		return out.String(), err
	}
	return cfg, nil
}

// captured is a call whose output is kept for the screens.
func (p *contextPlaces) captured(ctx context.Context, client *netclient.Client, args ...string) (*bytes.Buffer, *call) {
	out := &bytes.Buffer{}
	a := *p.app
	a.out, a.err, a.terminal, a.width = out, out, false, capturedWidth
	return out, &call{app: &a, ctx: ctx, args: args, net: client, limit: capturedRows}
}

const (
	capturedWidth = 76
	capturedRows  = 50
)
