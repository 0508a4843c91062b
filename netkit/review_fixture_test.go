package netkit

// wilsonBP copies the definition with a slow root.
func wilsonBP(r, s int64) int64 {
	if r+s == 0 {
		return 0
	}
	q := 1000*1000 + 1000*r*s/(r+s)
	root := int64(0)
	for bit := int64(1) << 31; bit > 0; bit >>= 1 {
		if x := root + bit; x*x <= 4*q*100_000_000 {
			root = x
		}
	}
	if root*root != 4*q*100_000_000 {
		root++
	}
	return max(0, ((r+2000)*10_000-root)/(r+s+4000))
}
