package main

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"testing"

	"github.com/spf13/viper"
)

// The network that is shown is offered first, whether a context names it or not.
func TestPlacesBeginWithTheOneThatIsShown(t *testing.T) {
	s := newSession(t)
	s.must("ctx", "add", "prod", "--url", "http://127.0.0.1:1")
	a := s.app("", io.Discard, io.Discard)
	a.set = &settings{v: viper.New(), env: a.env, file: filepath.Join(s.dir, "config", "netctl", "config.yaml")}
	local, other := filepath.Join(s.dir, "data", "netctl"), filepath.Join(s.dir, "other")
	for name, c := range map[string]struct {
		now  target
		want []string
	}{
		"an address":             {target{url: "http://127.0.0.1:2"}, []string{"http://127.0.0.1:2", "local", "prod"}},
		"a context's address":    {target{url: "http://127.0.0.1:1"}, []string{"prod", "local"}},
		"the folder at first":    {target{data: local, url: "http://127.0.0.1:3"}, []string{"local", "prod"}},
		"a folder without name":  {target{data: other, url: "http://127.0.0.1:3"}, []string{other, "local", "prod"}},
		"a folder that serves 1": {target{data: other, url: "http://127.0.0.1:1"}, []string{other, "local", "prod"}},
	} {
		p := &contextPlaces{call: &call{app: a, ctx: context.Background()}, now: c.now}
		got, err := p.Names()
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, c.want)
		}
		e, err := p.entry(got[0])
		if at, wrong := p.folder(e.Data); err != nil || e.URL == "" && e.Data != "" && (wrong != nil || at.data != c.now.data) || e.URL != "" && e.URL != c.now.url {
			t.Errorf("%s: got %+v, %v behind the first name", name, e, err)
		}
	}
}
