package tui

import (
	"encoding/json"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// elsewhere are operations with a command that : lacks, each with its reason.
var elsewhere = map[*catalog.Operation]string{
	catalog.SpawnAgent: "a verb of its own, which signs in", catalog.UploadAudio: "part of publishing", catalog.UploadTranscript: "part of publishing", catalog.CommitPlaybook: "part of registering",
	catalog.GetAudio: "p on the Feed plays it", catalog.GetTranscript: "p on the Feed shows it", catalog.GetTile: "for auditors' programs", catalog.GetCredential: "a file for others", catalog.CallTool: "for models",
	catalog.ExecuteContracts: "takes a file", catalog.AnswerAttentions: "takes a file", catalog.SettleExecutions: "takes a list", catalog.PreviewSettlement: "for programs, as is the list that it returns",
	catalog.ListSponsorAgents: "a table for a file or a chart",
}

// What netctl can do by the words of the catalogue, : can.
func TestEveryCommandIsAVerb(t *testing.T) {
	d := drive(t, small(), 100, 30)
	for op := range catalog.All() {
		if _, ok := verbOf(op); !ok && op.Command != "" && elsewhere[op] == "" {
			t.Errorf("%s: netctl %s has no verb here", op.Name, op.Command)
		}
	}
	for op, name := range screens {
		if d.m.screenOf(name) < 0 {
			t.Errorf("%s is shown by a screen %s, which there is not", op.Name, name)
		}
	}
}

// Arguments are completed from the network while one types.
func TestArgumentsAreCompleted(t *testing.T) {
	d := drive(t, small(), 100, 30)
	d.press(":")
	d.read("market fund ")
	d.shows("market fund 52", "Weekly reading", "market fund 29")
	d.read("5")
	d.lacks("market fund 29")
	d.press("down", "enter")
	d.shows("Add to a contract's budget: 52", "> Amount")
	d.press("7.50", "ctrl+s")
	d.shows("It takes 7.50 from the sponsor's funds", "+7.50  contract:52")
	d.press("y")
	if len(d.net.funded) != 1 || d.net.funded[0] != (netkit.FundContract{CampaignID: 52, Amount: 750}) {
		t.Errorf("got %+v, want 7.50 for contract 52", d.net.funded)
	}
}

// A verb that lacks its argument asks for it, one with all runs.
func TestVerbsRun(t *testing.T) {
	for typed, want := range map[string]string{
		"agent show bob": "[4 Agent]", "market show 52": "Weekly reading", "market ls": "[2 Market]", "intent execute 52": "> Headline",
		"attention send bob": "floor price 2.50", "agent token ls": "[Tokens]", "review queue": "[Reviews]", "review flags": "[Flags]", "market results": "[9 Results]", "ledger ls": "[Ledger]", "agent claims": "> Niche",
		"market show 9999": "there is no such contract", "market show x": "is not a number", "review verdict 77": "> Uphold", "badges waiting": "[Witness]", "doctor": "entries",
	} {
		d := drive(t, small(), 120, 30)
		d.press(":")
		d.read(typed)
		d.press("enter")
		d.shows(want)
		d.fits()
	}
	d := drive(t, small(), 100, 30)
	d.press(":")
	d.read("intent execute")
	d.press("enter")
	d.shows(":intent execute", "Weekly reading")
}

// A secret is shown once, in full, and nowhere else.
func TestATokenIsShownOnce(t *testing.T) {
	d := drive(t, small(), 100, 30)
	d.press(":")
	d.read("agent token issue")
	d.press("enter", "ctrl+s", "y")
	d.shows("nk_secret")
	d.press("esc")
	d.lacks("nk_secret")
}

// On its first row the ledger follows what happens; further down the row stays.
func TestTheLedgerIsFollowed(t *testing.T) {
	for _, downs := range []int{0, 2} {
		net := small()
		d := drive(t, net, 100, 30)
		d.press("L")
		for range downs {
			d.press("down")
		}
		net.journal = append(net.journal, json.RawMessage(`{"seq":12,"kind":"agent.spawned","actor":"zoe"}`))
		d.press("ctrl+r")
		want := uint64(12)
		if downs > 0 {
			want = 11 - uint64(downs)
		}
		if got := (*d.m.here().(*entries).row()).Seq; got != want {
			t.Errorf("%d down: got entry %d, want %d", downs, got, want)
		}
		d.shows("agent.spawned")
	}
}

// A verdict is not given by what stands there: uphold has to be said.
func TestAVerdictHasNoDefault(t *testing.T) {
	d := drive(t, small(), 100, 30)
	d.press("C", "v", "tab", "It is copied.", "ctrl+s")
	d.shows("Uphold is needed")
	d.press("right", "right", "ctrl+s")
	d.shows("cannot be undone")
	d.press("y")
	if len(d.net.verdicts) != 1 || !d.net.verdicts[0].Uphold || d.net.verdicts[0].CaseID != 77 {
		t.Errorf("got %+v, want one that upholds case 77", d.net.verdicts)
	}
}

// An entry is shown with all that it holds, and the ledger is narrowed by words.
func TestEntriesAreShownAndFiltered(t *testing.T) {
	d := drive(t, small(), 100, 30)
	d.press("L", "enter")
	d.shows("kind", "execution", "account", "contract:52", "2026-05-29 11:59")
	d.press("esc", "/", "nothing-like-this", "enter")
	d.shows("Nothing matches")
	d.press("esc", "w")
	d.shows("netctl ledger why treasury explains it")
}

// What a contract or a sponsor is named for, the results are narrowed by it, and
// so is the command that is shown for them.
func TestResultsOfWhatIsNamed(t *testing.T) {
	for typed, want := range map[string]string{"market results 29": "netctl --as ada market results 29", "sponsor receipts grid": "netctl --as ada sponsor receipts grid"} {
		net := small()
		net.results = append(net.results, netkit.ExecutionView{ExecutionID: 801, CampaignID: 29, Agent: "bob", Sponsor: "grid", State: netkit.ExecutionPending})
		d := drive(t, net, 80, 24)
		d.press(":")
		d.read(typed)
		d.press("enter")
		d.shows("[9 Results]", "801", "1 of 1")
		d.lacks("800")
		d.press("c")
		d.shows(want)
	}
}

// Without a contract the results are all of one's own, also after those of one.
func TestResultsOfAll(t *testing.T) {
	net := small()
	net.results = append(net.results, netkit.ExecutionView{ExecutionID: 801, CampaignID: 29, Agent: "ada", State: netkit.ExecutionPending})
	d := drive(t, net, 80, 24)
	for _, typed := range []string{"market results 29", "market results"} {
		d.press(":")
		d.read(typed)
		d.press("enter")
	}
	d.shows("[9 Results]", "800", "801")
	d.lacks("contract:29")
}

// What detectors found is a screen of its own, with the numbers of each agent.
func TestFlagsAreShown(t *testing.T) {
	d := drive(t, small(), 80, 24)
	d.press("F")
	d.shows("[Flags]", "mallory", "cheap answers: 25 (needs at most 19)")
	d.press("enter")
	d.shows("trudy", "cheap_answers", "25")
	d.press("esc", "c")
	d.shows("netctl --as ada review queue")
	d.net.flags = nil
	d.press("esc", "ctrl+r")
	d.shows("No agent is flagged")
}

// On the market a sponsor is offered what a sponsor does there.
func TestASponsorActsOnTheMarket(t *testing.T) {
	net := small()
	net.me = netkit.OwnProfile{Profile: netkit.Profile{Slug: "acme"}, Kind: netkit.SponsorParty}
	d := drive(t, net, 80, 24)
	d.press("2")
	d.shows("f fund · X close · r results", "q quit")
	d.lacks("x execute")
	d.press("f")
	d.shows("Add to a contract's budget: 52")
	d.press("esc", "X")
	d.shows("Close a contract", "It cannot be undone.")
	d.press("n", "r")
	d.shows("[9 Results]", "matching contract:52")
}
