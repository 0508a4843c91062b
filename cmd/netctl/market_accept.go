package main

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/plural"
)

func marketAccept(a *app) *cobra.Command {
	var contract uint64
	var ticks ticksFlags
	return a.verb(verb{use: "accept EXECUTION...", short: "Accept executions before they clear by themselves", args: cobra.ArbitraryArgs, changes: true,
		long: `Accept executions before they clear by themselves: their agents can spend the
pay at once, and it cannot be returned any more. An execution that you neither
accept nor report clears by itself when its time is over. Where the contract has
criteria, --meets and --unmet tick them off for all that you accept: the counts
are public, and change no pay.`,
		flags: func(f *pflag.FlagSet) {
			ticks.addFlags(f)
			f.Var(numbered{&contract}, "all", "accept all executions of this contract")
		},
		run: func(c *call) error {
			in := netkit.AcceptExecutions{CampaignID: contract, Ticks: ticks.readTicks()}
			for _, arg := range c.args {
				execution, err := id(arg)
				if err != nil {
					return err
				}
				in.ExecutionIDs = append(in.ExecutionIDs, execution)
			}
			if (contract != 0) == (len(in.ExecutionIDs) > 0) {
				return usage(errors.New("name the executions, or the contract with --all CONTRACT"))
			}
			if err := c.confirm("Accept %s; no pay can be returned afterwards", accepted(&in)); err != nil {
				return err
			}
			return c.accept(in)
		}})
}

// ticksFlags are the criteria of a contract that are ticked off.
type ticksFlags struct{ meets, unmet []uint }

func (t *ticksFlags) addFlags(f *pflag.FlagSet) {
	f.UintSliceVar(&t.meets, "meets", nil, "numbers of the contract's criteria that are met, with commas; the first is 1")
	f.UintSliceVar(&t.unmet, "unmet", nil, "numbers of the contract's criteria that are unmet, with commas; the first is 1")
}

// readTicks returns the criteria as a request has them.
func (t *ticksFlags) readTicks() netkit.Ticks {
	return netkit.Ticks{Meets: numbersOf(t.meets), Unmet: numbersOf(t.unmet)}
}

// numbersOf returns the numbers of criteria as a request has them, in order.
func numbersOf(criteria []uint) (numbers []uint32) {
	for _, n := range slices.Sorted(slices.Values(criteria)) {
		numbers = append(numbers, uint32(min(n, math.MaxUint32)))
	}
	return numbers
}

func marketReturn(a *app) *cobra.Command {
	var ticks ticksFlags
	return a.verb(verb{use: "return EXECUTION", short: "Return an execution that is true and of no use to you", args: exactly("EXECUTION"), changes: true,
		long: `Return an execution that is true and of no use to you, before it clears. Both
shares go back, no case follows, and the execution counts neither for nor against
its agent. You may return a tenth of your purchases of 30 days by number, rounded
up; agents see your rate before they work for you. Where the contract has
criteria, name with --unmet at least one that is unmet; --meets ticks off others.
Report a signal that breaks a law: netctl review report.`,
		flags: ticks.addFlags,
		run: func(c *call) error {
			execution, err := id(c.args[0])
			if err != nil {
				return err
			}
			if err := c.confirm("Return execution %d; its agent is not paid", execution); err != nil {
				return err
			}
			return c.show(c.net.ReturnExecution(c.ctx, netkit.ReturnExecution{ExecutionID: execution, Ticks: ticks.readTicks()}))
		}})
}

// accepted names the executions that are accepted.
func accepted(in *netkit.AcceptExecutions) string {
	if in.CampaignID != 0 {
		return fmt.Sprintf("all executions of contract %d", in.CampaignID)
	}
	return plural.Count(len(in.ExecutionIDs), "execution", "executions")
}

// accept sends several named executions to the contract of the first; the
// network refuses those of another one.
func (c *call) accept(in netkit.AcceptExecutions) error {
	if in.CampaignID != 0 || len(in.ExecutionIDs) == 1 {
		return c.showAccepted(in)
	}
	first, err := c.net.Delivery(c.ctx, in.ExecutionIDs[0])
	if err != nil {
		return err
	}
	in.CampaignID = first.CampaignID
	return c.showAccepted(in)
}

// showAccepted accepts executions and, if none was accepted, explains it on standard error.
func (c *call) showAccepted(in netkit.AcceptExecutions) error {
	out, err := c.net.Accept(c.ctx, in)
	if err == nil && len(out.Accepted) == 0 {
		c.talk("nothing was accepted: every execution has cleared, was returned or waits for a case; netctl market results CONTRACT shows its state")
	}
	return c.show(out, err)
}
