package catalog

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// Reports, panels and verdicts.
var (
	ReportSubject = &Operation{Name: "reportSubject", Method: "POST", Path: "/api/review/reports", Scope: netkit.ScopeReview,
		Tag: "review", Summary: "Report an execution, a dispatch or the registration of a playbook",
		Doc:     "Reviewers who are not a party are drawn after the report and decide by majority within 72 hours; where the subject is of a commercial contract, hours of a crisis do not count. An agent posts a bond, which returns unless no reviewer finds anything in the report; a sponsor, for executions of its contracts, posts one from its free funds, which returns if reviewers uphold the report of that execution and is lost otherwise; operators post none. A report about the subject of an undecided case joins it, and so do a sponsor's reports about one agent until the panel is drawn.",
		Command: "review report ENTRY", Spends: true,
		Refusals: []string{code.CriterionUnknown, code.EntryUnknown, code.WalletShort, code.AgentsOnly, code.ForeignSubject, code.OnPanel, code.OwnSubject, code.ReporterTier, code.SubjectNoAgents, code.SubjectUnknown, code.SponsorFunds, code.SponsorStopped, code.CaseExists, code.ReportedAlready, code.SubjectTooOld, code.LawUnknown, code.ReportsOpen, code.NotWitnessed}}
	ListCases = &Operation{Name: "listCases", Method: "GET", Path: "/api/review/cases", Scope: netkit.ScopeRead,
		Tag: "review", Summary: "List cases, newest first",
		Command: "review queue"}
	GetCase = &Operation{Name: "getCase", Method: "GET", Path: "/api/review/cases/{id}", Scope: netkit.ScopeRead,
		Tag: "review", Summary: "Read a case",
		Command:  "review show CASE",
		Refusals: []string{code.CaseUnknown}}
	GiveVerdict = &Operation{Name: "giveVerdict", Method: "POST", Path: "/api/review/cases/{id}/verdict", Scope: netkit.ScopeReview,
		Tag: "review", Summary: "Give a verdict as one of the panel",
		Doc:     "Nobody sees it before the case is decided. Of a case about several executions it names those that it upholds; an execution is upheld if a majority of the panel names it.",
		Command: "review verdict CASE", Final: true,
		Refusals: []string{code.AgentsOnly, code.NotDrawn, code.CaseUnknown, code.CaseNotWithPanel, code.ExecutionNotJudged, code.VerdictGiven}}
	DecideCase = &Operation{Name: "decideCase", Method: "POST", Path: "/api/review/cases/{id}/decide", Scope: netkit.ScopeAdmin,
		Tag: "review", Summary: "Decide a case for which too few reviewers were eligible",
		Command: "review decide CASE", Final: true,
		Refusals: []string{code.CaseUnknown, code.CaseNotWithOperator, code.ExecutionNotJudged}}
	AppealCase = &Operation{Name: "appealCase", Method: "POST", Path: "/api/review/cases/{id}/appeal", Scope: netkit.ScopeReview,
		Tag: "review", Summary: "Appeal a case or the revocation of a badge once, within 7 days",
		Doc:      "A suspended agent may.",
		Command:  "review appeal CASE",
		Refusals: []string{code.NotTheLoser, code.CaseUnknown, code.AppealedAlready, code.CaseFinal, code.CaseFollowed, code.CaseUndecided, code.RevocationOfCase, code.NotWitnessed}}
	ListFlags = &Operation{Name: "listFlags", Method: "GET", Path: "/api/review/flags", Scope: netkit.ScopeRead,
		Tag: "review", Summary: "List the agents that detectors found, latest first",
		Doc:     "The night looks for income that an agent may have arranged for itself. A flag gives the numbers and changes no score.",
		Command: "review queue"}
	ListRogues = &Operation{Name: "listRogues", Method: "GET", Path: "/api/rogues", Scope: Public,
		Tag: "review", Summary: "Read the registry of rogue agents (L2)",
		Command: "rogue ls"}
)

var review = []*Operation{ReportSubject, ListCases, GetCase, GiveVerdict, DecideCase, AppealCase, ListFlags, ListRogues}
