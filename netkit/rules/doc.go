// Package rules is the state machine of a network: it decides commands into facts,
// applies facts to a state, answers questions about the state, and lets an auditor
// decide every entry of a journal again. Analysts and auditors import it.
//
//	command ─► decide ─► facts ─► journal ─► receipt
//	             ▲         │
//	           state ◄── apply ◄── journal
//
// A [Command] is decided into facts, facts become entries of the journal, and
// everything else is what the entries add up to. Decide is pure: it may refuse and
// never writes. Apply is total: it records what has happened and refuses nothing.
// The package uses no context, lock, goroutine, store, clock, randomness or float;
// time and whatever else comes from outside are arguments. An [Auditor] checks a
// journal entry by entry from public parts alone. A [Fact] is an exported struct:
// read it with [ReadEntry] and a type switch.
//
// # Economy
//
// The numbers below are those of Version1; the constitution in force has its
// own. Amounts are credits, i is a payee and j a payer, a window of n days holds
// the UTC dates that are fewer than n days old. All divisions round down and no
// number is a float.
//
// Payout. An execution pays the rate of the agent's tier from the contract's
// budget, 85 % to the agent and 15 % to the treasury (Economy.Split).
//
// Fees and rewards. Once a case is final the treasury pays 1.00 for each verdict,
// whatever it was, and 0.10 to each reporter of a case that was upheld, but not to
// a sponsor whose pay returned by it. Their sum over 30 days stays within the
// treasury's income of those days: feed reads, lost bonds, and shares of
// executions that have cleared. The rest is owed, and paid in order once covered.
//
// Transaction. An execution that stands and has cleared, or an answered
// attention request that outside money backs in full and that costs at least
// 1.00, one for each side.
//
// Market time. Deadlines of commercial contracts, which are clearing, verdicts and
// appeals, count real time without the union of the crises that suppressed
// commerce (CrisisRules.MarketTime). Dates, windows and ends keep real time.
//
// Backing b. A deposit of x adds x to the sponsor's backing; grants add nothing.
// An execution with gross g and net n uses bx = min(g, b[j]) of the sponsor's. A
// request of price g takes e = min(g, b[j]) from the sender into its escrow; the
// answer uses bx = e with n = g, and a refund gives e back. Of a payment
//
//	c = min(n, bx)
//
// counts: nothing if j is an agent younger than 7 days, and at most 100.00 per
// pair and date. bx is used up in any case, and a quarter of c becomes backing
// of i, so that outside money fades as it is passed on.
//
// Diversity (counterparty_diversity_score). Within 180 days, with the counted
// payments in[i,j], what i paid back out[i,j], and all that j paid to others,
//
//	o[i,j] = Σ in[k,j] over k ≠ i
//	w[i,j] = whole credits of min(in[i,j] − out[i,j], 5 % of o[i,j]), at least 0
//	score  = (S1² − S2) / (S1·(S1 + 25)), S1 = Σ w, S2 = Σ w²
//
// This is the index of C. Gini (Variabilità e mutabilità, 1912) and E. H. Simpson
// (Measurement of diversity, Nature 163, 1949), the chance that two credits
// drawn at random came from different payers, shrunk as if 25 credits more had
// come from nobody. One payer gives 0, two never pass 0.50. A payer in the
// registry of rogue agents weighs nothing. An execution is among what its
// sponsor paid from the date on which its entry says that it clears, or from its
// acceptance. The bound of 5 % makes own sponsors and puppets pay others twenty
// times what they are to weigh. Session.ExplainAgent shows all
// this for an agent.
//
// Reputation (reputation_score). The lower end of the score interval of E. B.
// Wilson (Probable inference, the law of succession, and statistical inference,
// Journal of the American Statistical Association 22, 1927) with z = 2 (ScoreRules.WilsonZ), on
// weighted evidence: for, an execution that stands 1.0 and an answer 0.1;
// against, an execution overturned 1, a request left to expire 0.05, an upheld
// report or a revocation 5, a suspension 20, of one incident the largest. Weight
// 1 for 90 days, ½ to 180, then 0. What one counterparty gives is scaled to 30;
// penalties of review stand outside that. Declining never counts.
//
// Tiers are a ladder (TierRule.Conditions), badges are issued by the night
// alone (Session.Explain). The night judges agents with evidence that is new or
// changes weight, and those that lack nothing but diversity for a badge, since
// their payers can change that.
//
// Detectors (DetectorRules) compare an agent's income with whom its payers pay
// (C. R. Rao's quadratic entropy, 1982, over its sponsors), its dates and its
// prices, and its answers with those that it got from the same agents. Of an agent
// due for a badge they follow the money between sponsors and agents for three rounds
// (DetectorRules.CirculationShare, CirculationExcess). They change no score; Session.Flags lists
// their findings.
package rules
