package policytest

import "strings"

// Variants returns the canonical names of the 116 variants of the DFRS algorithms that RR-7659, section 6.1,
// compares. The first 3 of the 14 combinations of Table 1 come with either optimization. The 11 that run MCB8 also
// come with each of four bounds on remapping, or none.
func Variants() (names []string) {
	for _, row := range []string{
		"Greedy *", "GreedyP *", "GreedyPM *", "Greedy/per", "GreedyP/per", "GreedyPM/per", "Greedy */per", "GreedyP */per",
		"GreedyPM */per", "MCB8 *", "MCB8/per", "MCB8 */per", "/per", "/stretch-per",
	} {
		opts, bounds := []string{"opt=avg", "opt=min"}, []string{"", "/minft=300", "/minft=600", "/minvt=300", "/minvt=600"}
		if row == "/stretch-per" {
			opts[1] = "opt=max"
		}
		if !strings.Contains(row, "per") && !strings.Contains(row, "MCB8") {
			bounds = bounds[:1]
		}
		for _, opt := range opts {
			for _, bound := range bounds {
				names = append(names, row+"/"+opt+bound)
			}
		}
	}
	return names
}
