package score

// dayMillis is the length of a UTC day; unix time has no leap seconds.
const dayMillis = 24 * 60 * 60 * 1000

// Day is the number of the UTC day that a unix time in milliseconds lies in, 0
// being 1970-01-01. It rounds towards the past, before 1970 too.
func Day(ms int64) int64 {
	d := ms / dayMillis
	if ms%dayMillis < 0 {
		d--
	}
	return d
}

// InWindow reports whether day lies in the window of n whole days that ends on
// today and includes it. A later day is outside: the night closes a date while
// the next one has already begun.
func InWindow(today, day, n int64) bool {
	age := today - day
	return age >= 0 && age < n
}
