// Package spelling measures how far two words are apart, to suggest the one that
// was meant.
package spelling

// Distance returns how many bytes must be inserted, removed or replaced to make
// one word of the other (Levenshtein 1966). Its time is the product of their
// lengths: give it short words.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
