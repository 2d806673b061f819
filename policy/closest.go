package policy

import "strings"

// Closest returns the word nearest to written by edit distance, ignoring case, or "". The distance must be at most
// three, or a third of the length of written if that is more, and never more than half of that length. The first of
// equals wins.
func Closest(written string, words []string) (closest string) {
	least := min(max(4, len(written)/3+1), len(written)/2+1)
	for _, word := range words {
		if d := distance(strings.ToLower(written), strings.ToLower(word)); d < least {
			closest, least = word, d
		}
	}
	return closest
}

// distance returns the Levenshtein distance: the fewest insertions, deletions and replacements that turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
