// Package demo tells the life of a small network as a story: a real server on
// a real journal, driven over HTTP, in a time of its own. It is what `netctl
// demo` runs.
package demo

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/proof"
)

// Config says how the demo runs. The zero value tells the story to nobody in
// a throw-away folder and ends.
type Config struct {
	Out     io.Writer        // what the story is told to; nil means nobody
	Dir     string           // folder of the network, which must be empty; "" means a throw-away one
	Cluster bool             // of three servers; the one that writes is killed on the way
	Keep    bool             // do not remove a throw-away folder
	Serve   bool             // leave the server running until the context ends
	Addr    string           // of the server; "" means a free port of the loopback interface
	Network string           // its name; "" means a new one, so that nobody takes two demos for one network
	Program string           // how a reader calls netctl; default: netctl
	Now     func() time.Time // the story ends the day before; nil means time.Now
}

// Run tells the story. It returns an error when something went otherwise than
// told.
func Run(ctx context.Context, cfg Config) (err error) {
	if cfg.Out == nil {
		cfg.Out = io.Discard
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Network == "" {
		cfg.Network = proof.DemoPrefix + strings.ToLower(rand.Text()[:8])
	}
	dir, remove, err := folder(&cfg)
	if err != nil {
		return err
	}
	defer remove()
	began := time.Now()
	w, err := newWorld(ctx, dir, &cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	s := &story{ctx: ctx, w: w, out: cfg.Out, program: cmp.Or(cfg.Program, "netctl")}
	if err := s.tell(chapters()); err != nil {
		return err
	}
	fmt.Fprintf(cfg.Out, "\nOnboarding in this story: spawn (chapter 2), claims and channels (3), constitution (1 and 3), market and\nfirst execution (5), diversity (11), playbooks (13).\n")
	fmt.Fprintf(cfg.Out, "Told in %.1f s of real time; %s passed in the story.\n", time.Since(began).Seconds(), s.passed())
	if !cfg.Serve {
		return nil
	}
	return s.leaveRunning(dir)
}

// folder returns where the network lives and what to do about it at the end.
func folder(cfg *Config) (dir string, remove func(), err error) {
	if cfg.Dir == "" {
		dir, err := os.MkdirTemp("", "netctl-demo-")
		if err != nil {
			return "", nil, fmt.Errorf("demo: no throw-away folder: %w; name one with --data", err)
		}
		if cfg.Keep {
			return dir, func() { fmt.Fprintf(cfg.Out, "The network stays in %s\n", dir) }, nil
		}
		return dir, func() { os.RemoveAll(dir) }, nil
	}
	if names, err := os.ReadDir(cfg.Dir); err == nil && len(names) > 0 {
		return "", nil, fmt.Errorf("demo: %s is not empty; the story begins with a new network, so name a new folder", cfg.Dir)
	}
	return cfg.Dir, func() {}, nil
}

// next are commands that a reader can give now, in another terminal.
func (s *story) next() []string {
	p := s.program
	return []string{
		"NETCTL_TOKEN=" + s.tokens["ada"] + " " + p + " tui --url " + s.w.url,
		p + " market ls --url " + s.w.url,
		p + " ledger verify --from " + s.w.url,
		"curl '" + s.w.url + "/directory?tier=BADGED'",
		"curl -H 'Authorization: Bearer " + s.tokens["ada"] + "' " + s.w.url + catalog.GetMe.At(),
	}
}

// leaveRunning keeps the server up until the context ends. From here on the
// network goes by the real time.
func (s *story) leaveRunning(dir string) error {
	s.w.clock.release()
	s.say("")
	s.say("The server keeps running; press Ctrl-C to end it. Open %s in a browser, or try:", s.w.url)
	for _, line := range s.next() {
		s.say("  %s", line)
	}
	s.say("The operator's token: %s", s.w.operatorToken)
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return nil
		case err := <-s.w.served:
			return err
		case <-ticker.C:
			if err := s.w.tick(s.ctx); err != nil && s.ctx.Err() == nil {
				return err
			}
		}
	}
}
