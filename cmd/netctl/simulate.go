package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit/simulate"
)

// simulation is what the flags of netctl simulate say.
type simulation struct {
	seed                   uint64
	seeds                  int
	agents, sponsors, days int
	accounts, census       int
	picture                string
	all, families          bool
}

func simulateCommand(a *app) *cobra.Command {
	var in simulation
	return a.verb(verb{use: "simulate [SCENARIO]", short: "Let an economy of agents, and an attacker, live in virtual time", offline: true,
		long: `Run a network in memory and in virtual time: honest agents, sponsors, reviewers
and, in most scenarios, an attacker. Every act is a command on the real rules.
A run repeats to the digit from its seed.

SCENARIO is one of these, or a TOML file of your own; default: honest.

  ` + strings.Join(simulate.Scenarios(), "\n  ") + `

With --families an attack is run at ten sizes and the worst one is marked. SCENARIO
is then one of these; default: all of them, which takes long.

  ` + strings.Join(simulate.Families(), "\n  "),
		args: cobra.MaximumNArgs(1), files: true, offer: simulate.Scenarios,
		flags: func(f *pflag.FlagSet) {
			f.Uint64Var(&in.seed, "seed", 1, "first seed")
			f.IntVar(&in.seeds, "seeds", 1, "runs, each with the next seed")
			f.IntVar(&in.agents, "agents", 0, "honest agents; default: as in the scenario")
			f.IntVar(&in.sponsors, "sponsors", 0, "honest sponsors; default: as in the scenario")
			f.IntVar(&in.days, "days", 0, "days that pass; default: as in the scenario")
			f.IntVar(&in.accounts, "accounts", 0, "accounts of the attacker; default: as in the scenario")
			f.IntVar(&in.census, "census", 0, "days between two looks at every profile; default: as in the scenario, 7 from 1,000 agents up")
			f.BoolVar(&in.all, "all", false, "run every scenario that comes with netctl and sum up what each is about")
			f.BoolVar(&in.families, "families", false, "run attacks at ten sizes each and mark the worst size")
			f.StringVar(&in.picture, "svg", "", "also draw the runs into this file")
		},
		run: func(c *call) error {
			switch {
			case in.families:
				return c.simulateFamilies(&in)
			case in.all:
				return c.simulateAll(&in)
			}
			return c.simulate(&in)
		}})
}

// simulateAll runs every scenario and shows a summary.
func (c *call) simulateAll(in *simulation) error {
	var reports []*simulate.Report
	for _, name := range simulate.Scenarios() {
		sc, err := in.scenario([]string{name})
		if err != nil {
			return usage(err)
		}
		c.talk("%s: %s", sc.Name, sc.Title)
		r, err := simulate.Run(c.ctx, sc, in.runs()...)
		if err != nil {
			return err
		}
		reports = append(reports, r)
	}
	if !c.table() {
		return c.show(reports, nil)
	}
	return simulate.WriteSummary(c.out, reports)
}

// simulateFamilies runs the families that are named, or all of them.
func (c *call) simulateFamilies(in *simulation) error {
	names := c.args
	if len(names) == 0 {
		names = simulate.Families()
	}
	var reports []*simulate.FamilyReport
	for _, name := range names {
		f, err := simulate.BuiltinFamily(name)
		if err != nil {
			return usage(err)
		}
		c.talk("%s: %s", f.Name, f.Title)
		r, err := simulate.RunFamily(c.ctx, f, in.runs()...)
		if err != nil {
			return err
		}
		reports = append(reports, r)
	}
	if !c.table() {
		return c.show(reports, nil)
	}
	return simulate.WriteFamilies(c.out, reports)
}

// runs lists the seeds.
func (in *simulation) runs() (seeds []uint64) {
	for i := range max(in.seeds, 1) {
		seeds = append(seeds, in.seed+uint64(i))
	}
	return seeds
}

// simulate runs a scenario and shows its report.
func (c *call) simulate(in *simulation) error {
	sc, err := in.scenario(c.args)
	if err != nil {
		return usage(err)
	}
	r, err := simulate.Run(c.ctx, sc, in.runs()...)
	if err != nil {
		return err
	}
	if in.picture != "" {
		if err := os.WriteFile(in.picture, r.SVG(), 0o644); err != nil {
			return fmt.Errorf("the runs are not drawn: %w", err)
		}
	}
	if !c.table() {
		return c.show(r, nil)
	}
	return r.WriteTable(c.out)
}

// scenario reads the scenario that was named, with what the flags change.
func (in *simulation) scenario(args []string) (*simulate.Scenario, error) {
	sc, err := simulate.Builtin("honest")
	switch {
	case len(args) == 0:
	case strings.HasSuffix(args[0], ".toml"):
		var text []byte
		if text, err = os.ReadFile(args[0]); err == nil {
			sc, err = simulate.Parse(strings.TrimSuffix(filepath.Base(args[0]), ".toml"), text)
		}
	default:
		sc, err = simulate.Builtin(args[0])
	}
	if err != nil {
		return nil, err
	}
	for flag, field := range map[*int]*int{&in.agents: &sc.Agents, &in.sponsors: &sc.Sponsors, &in.days: &sc.Days, &in.accounts: &sc.Attack.Accounts, &in.census: &sc.Census} {
		if *flag != 0 {
			*field = *flag
		}
	}
	if in.census == 0 && sc.Agents >= 1000 {
		sc.Census = max(sc.Census, 7)
	}
	return sc, sc.Check()
}
