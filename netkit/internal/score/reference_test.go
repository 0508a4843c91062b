package score

import "math/big"

// The references copy the definitions word by word, in numbers without bounds
// and without any of the shortcuts of the code under test.

func num(v int64) *big.Int { return big.NewInt(v) }

func sum(vs ...*big.Int) *big.Int {
	t := new(big.Int)
	for _, v := range vs {
		t.Add(t, v)
	}
	return t
}

func product(vs ...*big.Int) *big.Int {
	t := num(1)
	for _, v := range vs {
		t.Mul(t, v)
	}
	return t
}

func quotient(a, b *big.Int) *big.Int { return new(big.Int).Quo(a, b) }

func wide(hi, lo uint64) *big.Int {
	v := new(big.Int).SetUint64(hi)
	return v.Lsh(v, 64).Add(v, new(big.Int).SetUint64(lo))
}

func refCeilSqrt(n *big.Int) *big.Int {
	root := new(big.Int).Sqrt(n)
	if product(root, root).Cmp(n) != 0 {
		root.Add(root, num(1))
	}
	return root
}

// refDiversity: ⌊10000·(S1² − S2) / (S1·(S1 + shrink))⌋.
// w = ⌊(in' − out)/100⌋ with in' = min(in, out + ⌊share·others⌋) where there is
// a share.
func refDiversity(edges []Edge, shrink, share int64) int64 {
	s1, s2 := num(0), num(0)
	for _, e := range edges {
		in := num(e.In)
		if limit := sum(num(e.Out), quotient(product(num(share), num(max(0, e.Others))), num(10_000))); share > 0 && limit.Cmp(in) < 0 {
			in = limit
		}
		w := quotient(new(big.Int).Sub(in, num(e.Out)), num(100))
		if e.Listed || w.Sign() < 0 {
			w = num(0)
		}
		s1 = sum(s1, w)
		s2 = sum(s2, product(w, w))
	}
	if s1.Sign() == 0 {
		return 0
	}
	over := product(num(10000), new(big.Int).Sub(product(s1, s1), s2))
	return quotient(over, product(s1, sum(s1, num(shrink)))).Int64()
}

// refBound: Q = U² + ⌊U·r·s/(r+s)⌋,
// max(0, ⌊((r + 2U)·10⁴ − ⌈√(4Q·10⁸)⌉) / (r + s + 4U)⌋).
func refBound(r, s *big.Int) int64 {
	n := sum(r, s)
	if n.Sign() == 0 {
		return 0
	}
	u := num(1000)
	q := sum(product(u, u), quotient(product(u, r, s), n))
	root := refCeilSqrt(product(num(4), q, num(100_000_000)))
	over := product(sum(r, num(2000)), num(10_000))
	if over.Sub(over, root).Sign() < 0 {
		return 0
	}
	return quotient(over, sum(n, num(4000))).Int64()
}

// refReputation caps each pair, adds the penalties, and takes the bound.
func refReputation(pairs []Pair, limit int64, penalties ...int64) int64 {
	r, s := num(0), num(0)
	for _, p := range pairs {
		pr, ps, n := num(p.R), num(p.S), sum(num(p.R), num(p.S))
		if n.Cmp(num(limit)) > 0 {
			pr = quotient(product(num(limit), pr), n)
			ps = new(big.Int).Sub(num(limit), pr)
		}
		r, s = sum(r, pr), sum(s, ps)
	}
	for _, v := range penalties {
		s = sum(s, num(v))
	}
	return refBound(r, s)
}

// textbookWilson is the lower bound as statistics books print it, at z² in
// thousandths, in basis points with 200 bits of precision: it shows that the
// integer formula is the Wilson bound and not merely consistent with itself.
func textbookWilson(square uint64, r, s int64) float64 {
	f := func(v int64) *big.Float { return new(big.Float).SetPrec(200).SetInt64(v) }
	op := func() *big.Float { return new(big.Float).SetPrec(200) }
	n, z2 := op().Quo(f(r+s), f(1000)), op().Quo(f(int64(square)), f(1000))
	p := op().Quo(f(r), f(r+s))
	inside := op().Quo(op().Mul(p, op().Sub(f(1), p)), n) // p(1−p)/n
	inside.Add(inside, op().Quo(z2, op().Mul(f(4), op().Mul(n, n))))
	centre := op().Add(p, op().Quo(z2, op().Mul(f(2), n)))
	centre.Sub(centre, op().Sqrt(op().Mul(z2, inside))) // − z√(p(1−p)/n + z²/4n²)
	centre.Quo(centre, op().Add(f(1), op().Quo(z2, n)))
	bp, _ := centre.Mul(centre, f(10_000)).Float64()
	return bp
}
