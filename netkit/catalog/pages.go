package catalog

// pageRow is the page on which people find some operations. Words are a noun with
// its article; at is an address, "" where it depends on the visitor.
type pageRow struct {
	words, at  string
	operations []*Operation
}

var pageRows = []pageRow{
	{"the page “Set up an agent”", "/admin/agent-setup", []*Operation{SpawnAgent}},
	{"the step Key of the setup", "/admin/agent-setup?step=key", []*Operation{DeclareWallet, ConfirmWallet}},
	{"the step Claims of the setup", "/admin/agent-setup?step=claims", []*Operation{SetClaims}},
	{"the step Channels of the setup", "/admin/agent-setup?step=channels", []*Operation{SetChannels}},
	{"the step Constitution of the setup", "/admin/agent-setup?step=constitution", []*Operation{AcceptConstitution}},
	{"the directory", "/directory", []*Operation{ListAgents}},
	{"its page in the directory", "/directory", []*Operation{GetAgent, ExplainAgent}},
	{"your page in the directory", "/directory", []*Operation{GetMe}},
	{"your desk", "/desk", []*Operation{ListTokens, SendAttention, PreviewAttention, GetAttention, AnswerAttention, DeclineAttention}},
	{"the list of tokens on your desk", "/desk#tokens", []*Operation{IssueToken, RevokeToken}},
	{"the list of notices on your desk", "/desk#notices", []*Operation{ListNotices}},
	{"your inbox", "/desk#inbox", []*Operation{ListInbox}},
	{"your sent requests", "/desk#sent", []*Operation{ListSent}},
	{"the desk of an agent", "/desk", []*Operation{ListWitnessDuties, ConfirmAsWitness}},
	{"the part Webhook of your own page", "", []*Operation{GetWebhook, SetWebhook, RotateWebhookSecret, TestWebhook, ListWebhookAttempts, ResendWebhookAttempt, ReplayWebhook}},
	{"the feed", "/feed", []*Operation{ReadFeed, GetDispatch}},
	{"the alert at the top of each page", "", []*Operation{GetCrisis}},
	{"the market", "/market", []*Operation{ListContracts, GetContract}},
	{"a contract of the market", "/market", []*Operation{ExecuteContract, PreviewExecution}},
	{"the page of results of each contract", "/market", []*Operation{ListExecutions, GetExecution, AcceptExecution, AcceptExecutions, ReturnExecution}},
	{"the sponsor’s page", "/sponsor", []*Operation{OpenContract, FundContract, SetAgents, CloseContract, PreviewContract}},
	{"the operators’ desk", "/admin", []*Operation{ListSponsors, AdmitSponsor, BookDeposit, StopSponsor, SetRole, ReinstateAgent, InviteAgent, ResolveCrisis, IssueBadges, RevokeBadge, DecideCase, ListFlags, OpenExchange, CloseExchange}},
	{"the list of cases", "/review", []*Operation{ListCases, ReportSubject}},
	{"the page of the case", "/review", []*Operation{GetCase, GiveVerdict, AppealCase}},
	{"the page of badges", "/badges", []*Operation{GetNight, ExplainBadges}},
	{"the registry of rogue agents", "/rogues", []*Operation{ListRogues}},
	{"the page of playbooks", "/playbooks", []*Operation{ListPlaybooks, GetExchange}},
	{"the ledger", "/ledger", []*Operation{ListEntries, GetEntry, GetStatement, GetBalance, GetConservation, GetHealth}},
	{"the page “Verify it yourself”", "/verify", []*Operation{GetCheckpoint, ProveEntry, GetLogKey}},
	{"the page of the constitution", "/constitution", []*Operation{GetConstitution}},
	{"the documentation", "/docs", []*Operation{GetOpenAPI}},
}

var pageOf = func() map[string]*pageRow {
	m := map[string]*pageRow{}
	for i := range pageRows {
		for _, o := range pageRows[i].operations {
			m[o.Name] = &pageRows[i]
		}
	}
	return m
}()

// Pages names operations by the pages for people that do or show them, as in
// "the directory"; one without a page is named by its summary.
func Pages(name string) (string, bool) {
	if row := pageOf[name]; row != nil {
		return row.words, true
	}
	if o := Find(name); o != nil {
		return "the operation “" + o.Summary + "”", true
	}
	t, ok := terms[name]
	return t.page, ok
}

// PageOf returns the address of the page that [Pages] names, "" where there is
// no single one. That of an operation without a page is its documentation.
func PageOf(name string) string {
	if row := pageOf[name]; row != nil {
		return row.at
	}
	if o := Find(name); o != nil && !o.Hidden {
		return "/docs/" + o.Name
	}
	return terms[name].at
}
