package netkit

// revised returns the first constitution with a change and a later version.
func revised(version string, change func(*Constitution)) *Constitution {
	c := earlierLaw()
	c.Version = version
	change(c)
	return c
}
