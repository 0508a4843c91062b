package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netclient"
)

// noun makes a command that only groups verbs.
func noun(use, short string, verbs ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Args: cobra.ArbitraryArgs, RunE: group, SuggestionsMinimumDistance: 2, ValidArgsFunction: cobra.NoFileCompletions}
	cmd.AddCommand(verbs...)
	return cmd
}

// verb describes a command: its name, its arguments and its action.
type verb struct {
	use, short string
	long       string
	args       cobra.PositionalArgs // nil takes none
	flags      func(*pflag.FlagSet)
	needs      []string        // flags that must be given
	bound      string          // flag that bounds the spending: with it a script is asked nothing
	files      bool            // its arguments are files, for completion
	offer      func() []string // candidates for the first argument, for completion; nil if they are unknown
	changes    bool            // it changes something: --dry-run and --key apply
	list       bool            // it prints a list: --limit applies
	empty      string          // text for an empty list, with the next command
	offline    bool            // it needs no network
	folder     func() bool     // reports whether it reads a folder by itself this time
	run        func(*call) error
}

// call is one run of a verb.
type call struct {
	*app
	ctx     context.Context
	args    []string
	net     *netclient.Client // nil for a verb that is offline
	where   *connection
	limit   int    // of a list, 0 is all
	watched bool   // the list is drawn again when something happens
	empty   string // text for an empty list
	dry     bool   // show the request without sending it
	key     string // idempotency key, "" for one made here
	costs   string
	bound   string // flag that bounds the spending, "" for none
	agree   bool   // that flag was given
}

// verb makes the command.
func (a *app) verb(v verb) *cobra.Command {
	if v.args == nil {
		v.args = cobra.NoArgs
	}
	if v.list && v.empty == "" {
		panic("netctl: " + v.use + " lists, and does not say what to do when the list is empty")
	}
	c := &call{app: a, empty: v.empty}
	cmd := &cobra.Command{Use: v.use, Short: v.short, Long: v.long, Args: v.args}
	switch {
	case v.offer != nil:
		cmd.ValidArgsFunction = first(v.offer)
	case !v.files:
		cmd.ValidArgsFunction = a.live(v.use)
	}
	v.addFlags(c, cmd.Flags())
	completeFlags(cmd)
	a.liveFlags(cmd)
	for _, name := range v.needs {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic("netctl: " + err.Error())
		}
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		a.ran, a.args = true, args
		c.ctx, c.args = cmd.Context(), args
		c.bound, c.agree = v.bound, v.bound != "" && cmd.Flags().Changed(v.bound)
		if c.key != "" {
			c.ctx = netkit.WithKey(c.ctx, c.key)
		}
		return c.start(&v)
	}
	return cmd
}

// addFlags gives a command its own flags and those that all of its sort have.
func (v *verb) addFlags(c *call, f *pflag.FlagSet) {
	if v.flags != nil {
		v.flags(f)
	}
	if v.changes {
		f.BoolVar(&c.dry, "dry-run", false, "show what would be sent and what it costs, and send nothing")
		f.StringVar(&c.key, "key", "", "idempotency key: one per purchase; use it again to repeat a command whose answer was lost")
	}
	if v.list {
		f.IntVar(&c.limit, "limit", 50, "most items to print, 0 for all")
	}
	if v.list && f.Lookup("follow") == nil {
		f.BoolVar(&c.watched, "watch", false, "draw the list again when something happens, until you interrupt it")
	}
}

// start connects unless the verb is offline, and runs it.
func (c *call) start(v *verb) (err error) {
	if c.limit < 0 {
		return usage(errors.New("--limit is 0 or more"))
	}
	// A wrong expression is found before anything is done: afterwards it would
	// cost the answer, and with it a token that is shown once.
	if c.jq != "" {
		if _, err := c.filterCode(); err != nil {
			return err
		}
	}
	if v.offline || v.folder != nil && v.folder() {
		return v.run(c)
	}
	if c.where, err = c.connect(c.ctx, c.dry); err != nil {
		return err
	}
	c.net = c.where.client
	if v.changes && !c.dry && c.where.target.data != "" && c.set.v.GetString("as") == "" {
		c.talk("acting as the operator, since the folder is yours; --as NAME acts as somebody else")
	}
	if c.watched {
		return errors.Join(c.watch(v.run), c.where.close())
	}
	err = v.run(c)
	var p *plan
	if errors.As(err, &p) {
		p.Costs = c.costs
		err = c.show(p, nil)
	}
	return errors.Join(err, c.where.close())
}
