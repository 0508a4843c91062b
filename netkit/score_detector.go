package netkit

// Detectors look for income that an agent may have arranged for itself. The
// night runs them for the agents that it judges, on public evidence alone, and
// an entry says what they found. None of them changes a score or a tier: a flag
// asks people to look. Only circulation brings a case, which holds badges until
// reviewers have decided it.

// DetectorRules holds the bounds of the detectors; a bound of 0 turns its
// detector off.
type DetectorRules struct {
	MinDiversity        Ratio   `json:"min_diversity,omitempty" doc:"captive income is looked for from this diversity up, payer_share left aside"`
	CaptiveFrom         Credits `json:"captive_from,omitempty" doc:"and from this counted income up: the first payers of a young network have paid few yet"`
	CaptiveShare        Ratio   `json:"captive_share,omitempty" doc:"of income from payers that pay mostly this agent, at most"`
	Senders             int     `json:"senders,omitempty" doc:"from this many senders up it is looked for whom they pay"`
	SendersMostly       Ratio   `json:"senders_mostly,omitempty" doc:"of senders that pay mostly this agent, at most"`
	SponsorsFrom        int     `json:"sponsors_from,omitempty" doc:"from this many sponsors of the network up it is looked for whom else the sponsors of an agent pay"`
	SponsorsAlike       Ratio   `json:"sponsors_alike,omitempty" doc:"chance that two credits of its income come from one payer or from sponsors that pay the same others, at most"`
	CheapPrice          Credits `json:"cheap_price,omitempty" doc:"a backed answer below this price is a cheap one"`
	CheapAnswers        int     `json:"cheap_answers,omitempty" doc:"cheap answers, fewer than"`
	BurstFrom           int     `json:"burst_from,omitempty" doc:"from this many executions up bursts are looked for"`
	BurstShare          Ratio   `json:"burst_share,omitempty" doc:"of executions on one date, at most"`
	CirculationShare    Ratio   `json:"circulation_share,omitempty" doc:"of a walk from an agent due for a badge to its sponsors, to whom these pay, and on, three rounds: the part that ends on sponsors reached circulation_factor times as often as their share of all spending, at least, that is flagged"`
	CirculationFactor   int     `json:"circulation_factor,omitempty" doc:"times its share of all spending, more than which a sponsor is reached too often; default: 5"`
	CirculationCaseDays int     `json:"circulation_case_days,omitempty" doc:"an agent that circulation_share flags gets a case under L2 in that night, and no badge while it is undecided; the next case follows so many days after a judgement at the earliest; needs review.draw_after_filing; default: no case"`
	CirculationSides    bool    `json:"circulation_sides,omitempty" doc:"dealings with the sponsors that such a case names keep reviewers off its panel, as dealings with a reporter do; default: only dealings with the agent do"`
	CirculationExcess   Ratio   `json:"circulation_excess,omitempty" doc:"of the same walk, the part that ends on sponsors reached more than 1.5 times as often as their share of all spending, beyond this share, at most; it is flagged, and a case is filed, as by circulation_share; default: not looked for"`
	MutualShare         Ratio   `json:"mutual_share,omitempty" doc:"of backed answers, given to senders that the agent asked, with an answer, as often as it answered them, at most"`
	MutualFrom          int     `json:"mutual_from,omitempty" doc:"from this many backed answers up mutual ones are looked for"`
	EvenShare           Ratio   `json:"even_share,omitempty" doc:"of backed answers, given to senders for answers that these gave back, one for one, at most; default: not looked for"`
	EvenFrom            int     `json:"even_from,omitempty" doc:"from this many backed answers up even ones are looked for"`
	Reciprocity         Ratio   `json:"reciprocity,omitempty" doc:"of income that went back to those it came from, at most"`
}

// AgentFlag is an agent that detectors found, with their numbers.
type AgentFlag struct {
	Agent      string      `json:"agent"`
	Detections []Condition `json:"detections" doc:"each detector whose bound is passed"`
	Date       Day         `json:"date" doc:"that the night closed which found it"`
	Seq        uint64      `json:"seq,omitempty" doc:"entry of that night"`
	With       []string    `json:"with,omitempty" doc:"other agents that acted from its address since the server started; shown to operators alone, and neither the address nor this is stored"`
}
