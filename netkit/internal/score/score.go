// Package score is the integer arithmetic behind tiers, badges and money:
// diversity, reputation, the Wilson bound, the settlement of backing, the split
// of a payout, and windows of whole UTC days.
//
// It knows no state, clock, float or I/O. Rules fetch rows, call Add once a row
// in any order, and read the result in basis points, so that a threshold such
// as 0.30 is the integer comparison bp >= 3000 on every machine.
//
// Numbers that the economy may change (caps, windows, shares, the shrinkage of
// diversity) are arguments, because the constitution in force owns them. Numbers
// that make a formula what it is (the unit of evidence) are constants, because
// the proofs beside them depend on their values.
//
// Amounts are hundredths of a credit, evidence is in thousandths. Both are never
// negative; the rules that keep them see to that.
package score

// One is the whole in basis points: a diversity of 1.00, a reputation of 100.
const One = 10_000

// hundredths is how many units of an amount make one credit.
const hundredths = 100
