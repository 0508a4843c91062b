package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/agentnet/netctl/netkit"
)

// identity is who a command acts as, and where.
type identity struct {
	Slug      string           `json:"slug"`
	Kind      netkit.PartyKind `json:"kind"`
	Roles     []string         `json:"roles,omitempty"`
	Available netkit.Credits   `json:"available"`
	Network   string           `json:"network" doc:"address or folder"`
	Context   string           `json:"context"`
	By        string           `json:"by" doc:"what says so: a token, --as, or the folder itself"`
}

func whoamiCommand(a *app) *cobra.Command {
	return a.verb(verb{use: "whoami", short: "Say who you act as, and on which network", run: func(c *call) error {
		me, err := c.net.OwnProfile(c.ctx)
		if err != nil {
			return err
		}
		who := identity{Slug: me.Slug, Kind: me.Kind, Roles: me.Roles, Available: me.Available, Network: c.where.where, Context: c.set.v.GetString("context"), By: "token"}
		switch as := c.set.v.GetString("as"); {
		case as != "":
			who.By = "--as " + as
		case c.where.target.data != "":
			who.By = "the folder is yours: --as AGENT acts as an agent"
		}
		return c.show(who, nil)
	}})
}

func logoutCommand(a *app) *cobra.Command {
	return a.verb(verb{use: "logout", short: "Forget the token that is kept with the context in use", offline: true,
		long: "Forget the token that is kept with the context in use. The token itself stays valid until netctl agent token revoke ends it.",
		run:  func(c *call) error { return c.logout(c.set.v.GetString("context")) }})
}

func (c *call) logout(name string) error {
	e, err := c.contextNamed(name)
	if err != nil {
		return err
	}
	if e.Token == "" {
		return usage(fmt.Errorf("no token is kept for the context %s; netctl ctx ls shows where one is", name))
	}
	all, err := c.contexts()
	if err != nil {
		return err
	}
	e.Token = ""
	all[name] = e
	if err := c.keepContexts(all); err != nil {
		return err
	}
	c.talk("the token of the context %s is forgotten here, and valid until netctl agent token revoke ends it", name)
	if c.set.v.GetString("token") != "" {
		return errors.New("NETCTL_TOKEN still holds a token; unset it too")
	}
	return nil
}
