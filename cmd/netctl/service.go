package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/cmd/netctl/systemd"
	"github.com/agentnet/netctl/netkit"
)

func serviceCommand(a *app) *cobra.Command {
	return noun("service", "Run a network as a service of systemd", serviceInstall(a), serviceStatus(a), serviceRemove(a))
}

func serviceInstall(a *app) *cobra.Command {
	return a.servicePlan(verb{use: "install", short: "Install this program as a service and start it",
		long: `Copy this program to /usr/local/bin, write a hardened service unit and its socket
unit, and start them. The service has a user of its own and the folder
/var/lib/netctl; its settings are in /etc/netctl/environment (netctl help environment),
which stays as it is if it exists. To upgrade, install again with the newer program.`},
		func() (systemd.Plan, string, error) {
			executable, err := os.Executable()
			return systemd.Install(executable), "sudo journalctl -u netctl shows the first operator's token, this once; then: netctl service status", err
		})
}

func serviceRemove(a *app) *cobra.Command {
	return a.servicePlan(verb{use: "remove", short: "Stop the service and remove its units",
		long: "Stop the service and remove its units. The network's folder, the settings and the program stay."},
		func() (systemd.Plan, string, error) {
			return systemd.Remove(), "the network is still in " + systemd.Folder, nil
		})
}

// servicePlan makes a command that carries a plan out, or shows it.
func (a *app) servicePlan(v verb, plan func() (systemd.Plan, string, error)) *cobra.Command {
	var dry bool
	v.offline = true
	v.flags = func(f *pflag.FlagSet) {
		f.BoolVar(&dry, "dry-run", false, "show files and commands, and change nothing")
	}
	v.run = func(c *call) error {
		p, next, err := plan()
		if err != nil {
			return err
		}
		if dry {
			return c.showPlan(p)
		}
		if err := needsSystemd(); err != nil {
			return err
		}
		if os.Geteuid() != 0 {
			return because(netkit.ErrForbidden, "changing the services of this machine needs its administrator; run it with sudo")
		}
		if err := p.Carry(c.ctx, "/", runSystem); err != nil {
			return err
		}
		c.talk("%s", next)
		return nil
	}
	return a.verb(v)
}

// showPlan prints a plan: as text the files with their contents, then the commands.
func (c *call) showPlan(p systemd.Plan) error {
	if !c.table() {
		return c.show(p, nil)
	}
	var b strings.Builder
	for _, f := range p.Write {
		if f.Program != "" {
			fmt.Fprintf(&b, "== %s (a copy of %s)\n\n", f.Path, f.Program)
			continue
		}
		fmt.Fprintf(&b, "== %s\n%s\n", f.Path, f.Text)
	}
	for _, path := range p.Remove {
		fmt.Fprintf(&b, "== remove %s\n", path)
	}
	for _, args := range p.Commands {
		fmt.Fprintf(&b, "$ %s\n", strings.Join(args, " "))
	}
	_, err := fmt.Fprint(c.out, b.String())
	return err
}

func serviceStatus(a *app) *cobra.Command {
	return a.verb(verb{use: "status", short: "Show whether the service is enabled and runs", offline: true,
		run: func(c *call) error {
			if err := needsSystemd(); err != nil {
				return err
			}
			states, err := systemd.Status(c.ctx, runSystem)
			if err != nil {
				return err
			}
			return rowsOut(c, states,
				column[systemd.State]{"UNIT", func(s systemd.State) string { return s.Unit }},
				column[systemd.State]{"LOADED", func(s systemd.State) string { return s.Loaded }},
				column[systemd.State]{"FILE", func(s systemd.State) string { return s.File }},
				column[systemd.State]{"ACTIVE", func(s systemd.State) string { return s.Active }})
		}})
}

// needsSystemd refuses a machine that systemd does not manage, before anything is
// written.
func needsSystemd() error {
	if systemd.Runs() {
		return nil
	}
	return because(netkit.ErrUnavailable, "systemd does not manage this machine; netctl serve runs in the foreground under any supervisor")
}

// runSystem runs a program of the system.
func runSystem(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		return "", err
	}
	return string(out), err
}
