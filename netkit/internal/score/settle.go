package score

// Payment is one settled payment from a payer to a payee, in hundredths.
type Payment struct {
	Gross   int64 // what the payer gave
	Net     int64 // what the payee got of it
	Backing int64 // what the payer holds; of an escrow, what was locked into it
	Young   bool  // the payer is an agent too young to count
	Counted int64 // already counted today between these two
}

// Settlement is what a payment does to backing and diversity, in hundredths.
type Settlement struct {
	Used    int64 // bx: leaves the payer's backing, or the escrow's, in any case
	Counted int64 // c: what the payee's diversity takes in
	Passed  int64 // the part of c that joins the payee's backing
}

// Settle decides how much of a payment counts: no more than the payee got, than
// the payer's backing covers, and than dayCap leaves for the two today. The part
// passOn of it, in basis points, goes on as the payee's backing: below one, it
// makes backing die out as it circulates, which bounds what any ring of agents
// can count; see maxWeights.
func Settle(p Payment, dayCap, passOn int64) Settlement {
	used := min(p.Gross, p.Backing)
	if p.Young {
		return Settlement{Used: used}
	}
	c := max(0, min(p.Net, used, dayCap-p.Counted))
	passed, _ := Split(c, passOn)
	return Settlement{Used: used, Counted: c, Passed: passed}
}

// Split divides a gross amount between agent and treasury. The agent's share is
// in basis points (0..One) and rounded down; the treasury gets the remainder, so
// the two always sum to gross.
func Split(gross, shareBP int64) (agent, treasury int64) {
	agent = int64(mulDiv(uint64(gross), uint64(shareBP), One))
	return agent, gross - agent
}
