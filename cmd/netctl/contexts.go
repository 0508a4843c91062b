package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	yaml "go.yaml.in/yaml/v3"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/private"
)

// localContext is the context that is there from the start.
const localContext = "local"

// contextEntry is a deployment by name: a folder here, or an address with the
// token for it. The file of contexts is readable by its owner alone.
type contextEntry struct {
	URL       string `yaml:"url,omitempty"`
	IntentURL string `yaml:"intent_url,omitempty"`
	Token     string `yaml:"token,omitempty"`
	Data      string `yaml:"data,omitempty"`
}

// contextsFile is where the contexts are kept, apart from the settings so that
// those can be shown to others.
func (a *app) contextsFile() string { return filepath.Join(filepath.Dir(a.set.file), "contexts.yaml") }

func (a *app) contexts() (map[string]contextEntry, error) {
	all := map[string]contextEntry{}
	b, err := os.ReadFile(a.contextsFile())
	if err == nil {
		err = yaml.Unmarshal(b, &all)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s cannot be read: %w; correct or remove it", a.contextsFile(), err)
	}
	if _, ok := all[localContext]; !ok {
		all[localContext] = contextEntry{}
	}
	return all, nil
}

// contextNamed returns one context.
func (a *app) contextNamed(name string) (contextEntry, error) {
	all, err := a.contexts()
	if err != nil {
		return contextEntry{}, err
	}
	e, ok := all[name]
	if !ok {
		return e, because(netkit.ErrNotFound, "there is no context %q; netctl ctx ls lists them, netctl ctx add makes one", name)
	}
	return e, nil
}

func (a *app) keepContexts(all map[string]contextEntry) error {
	b, err := yaml.Marshal(all)
	if err != nil {
		return err
	}
	return private.WriteFile(a.contextsFile(), b)
}

func ctxCommand(a *app) *cobra.Command {
	return noun("ctx", "Name deployments and choose one", ctxLs(a), ctxUse(a), ctxAdd(a), ctxRm(a))
}

// contextRow is a context as it is listed; of a token only whether there is one.
type contextRow struct {
	Name    string `json:"name"`
	Current bool   `json:"current"`
	URL     string `json:"url,omitempty"`
	Data    string `json:"data,omitempty"`
	Token   bool   `json:"token" doc:"whether a token is kept"`
}

func ctxLs(a *app) *cobra.Command {
	return a.verb(verb{use: "ls", short: "List the contexts", offline: true, run: func(c *call) error {
		all, err := a.contexts()
		if err != nil {
			return err
		}
		var rows []contextRow
		for _, name := range slices.Sorted(maps.Keys(all)) {
			e := all[name]
			row := contextRow{Name: name, Current: name == a.set.v.GetString("context"), URL: e.URL, Data: e.Data, Token: e.Token != ""}
			if e.URL == "" && e.Data == "" {
				if row.Data, err = a.dataDir(); err != nil {
					return err
				}
			}
			rows = append(rows, row)
		}
		return rowsOut(c, rows,
			column[contextRow]{"", func(r contextRow) string { return map[bool]string{true: "*"}[r.Current] }},
			column[contextRow]{"NAME", func(r contextRow) string { return r.Name }},
			column[contextRow]{"WHERE", func(r contextRow) string { return r.URL + r.Data }},
			column[contextRow]{"TOKEN", func(r contextRow) string { return map[bool]string{true: "kept"}[r.Token] }})
	}})
}

func ctxUse(a *app) *cobra.Command {
	return a.verb(verb{use: "use NAME", short: "Choose the context that commands go to", args: exactly("NAME"), offline: true, offer: a.contextNames, run: func(c *call) error {
		if _, err := a.contextNamed(c.args[0]); err != nil {
			return err
		}
		return a.keep("context", c.args[0])
	}})
}

func ctxAdd(a *app) *cobra.Command {
	return a.verb(verb{use: "add NAME [ADDRESS]", short: "Name a deployment", args: cobra.RangeArgs(1, 2), offline: true,
		long: "Name a deployment: its address, whose token netctl login keeps, or a folder with --data.",
		run: func(c *call) error {
			all, err := a.contexts()
			if err != nil {
				return err
			}
			v := a.set.v
			e := contextEntry{URL: v.GetString("url"), IntentURL: v.GetString("intent-url"), Data: v.GetString("data")}
			if len(c.args) == 2 {
				if e.URL != "" {
					return usage(errors.New("give the ADDRESS or --url, one of them"))
				}
				e.URL = c.args[1]
			}
			switch {
			case (e.URL == "") == (e.Data == ""):
				return usage(errors.New("give an ADDRESS such as https://example.org, or --data DIR, one of them"))
			case e.Data != "":
				if e.Data, err = filepath.Abs(e.Data); err != nil {
					return err
				}
			default:
				if _, err := a.client(target{url: e.URL, intent: e.IntentURL}, nil); err != nil {
					return usage(err)
				}
			}
			e.Token = all[c.args[0]].Token
			if all[c.args[0]].URL != e.URL {
				e.Token = "" // a token is for the address that it was given for
			}
			all[c.args[0]] = e
			if err := a.keepContexts(all); err != nil {
				return err
			}
			if e.URL != "" && e.Token == "" {
				a.talk("netctl --context %s login keeps its token; netctl ctx use %s makes it the current one", c.args[0], c.args[0])
			}
			return nil
		}})
}

func ctxRm(a *app) *cobra.Command {
	return a.verb(verb{use: "rm NAME", short: "Forget a context and its token", args: exactly("NAME"), offline: true, offer: a.contextNames, run: func(c *call) error {
		all, err := a.contexts()
		if err != nil {
			return err
		}
		name := c.args[0]
		if _, err := a.contextNamed(name); err != nil {
			return err
		}
		if name == localContext {
			return usage(errors.New("the context local stays; netctl ctx add local --data DIR points it elsewhere"))
		}
		delete(all, name)
		if err := a.keepContexts(all); err != nil || name != a.set.v.GetString("context") {
			return err
		}
		a.talk("commands go to the context %s again", localContext)
		return a.keep("context", localContext)
	}})
}

func loginCommand(a *app) *cobra.Command {
	var file string
	return a.verb(verb{use: "login", short: "Keep a token with the context in use", offline: true,
		long: `Keep a token with the context in use, after trying it.

The token is read from standard input, or from --token-file, and is kept in a
file that only its owner can read.`,
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&file, "token-file", "", "file that holds the token; - is standard input")
		},
		run: func(c *call) error { return c.login(file) }})
}

// login reads a token, tries it, and keeps it.
func (c *call) login(file string) error {
	name := c.set.v.GetString("context")
	e, err := c.contextNamed(name)
	if err != nil {
		return err
	}
	if e.URL == "" {
		return usage(fmt.Errorf("the context %s is a folder on this machine and needs no token; make one with netctl ctx add NAME ADDRESS and choose it with --context NAME", name))
	}
	token, err := c.readToken(file)
	if err != nil {
		return err
	}
	if err := c.keepToken(name, e, token); err != nil {
		return err
	}
	c.talk("the token is kept for the context %s", name)
	return nil
}

// keepToken tries a token and keeps it with a context.
func (c *call) keepToken(name string, e contextEntry, token string) error {
	client, err := c.client(target{url: e.URL, intent: e.IntentURL, token: token}, nil)
	if err != nil {
		return err
	}
	// Every principal may list its tokens with the scope self; a narrower token
	// is refused by name of the scope, which shows as well that it is known.
	if _, err := client.Tokens(c.ctx); err != nil && !errors.Is(err, netkit.ErrForbidden) {
		return err
	}
	all, err := c.contexts()
	if err != nil {
		return err
	}
	e.Token = token
	all[name] = e
	return c.keepContexts(all)
}

func (c *call) readToken(file string) (string, error) {
	var text string
	var err error
	switch {
	case file != "" && file != "-":
		var b []byte
		c.warnIfOpen(file)
		if b, err = os.ReadFile(file); err == nil {
			text = firstLine(string(b))
		}
	case c.asks():
		text, err = c.askHidden("Token, or --token-file FILE reads it from a file")
	default:
		text, err = c.ask("")
	}
	if err != nil {
		return "", err
	}
	text = strings.TrimSpace(text)
	if _, err := netkit.ParseToken(text); err != nil {
		return "", usage(err)
	}
	return text, nil
}
