package score

// InWindow reports whether day lies in the window of n whole days that ends on
// today and includes it. A later day is outside: the night closes a date while
// the next one has already begun.
func InWindow(today, day, n int64) bool {
	age := today - day
	return age >= 0 && age < n
}
