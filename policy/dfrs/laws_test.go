package dfrs_test

import (
	"testing"

	"aliquot/cluster"
	"aliquot/policy/catalog"
	"aliquot/policy/policytest"
)

func TestEveryCombinationKeepsTheLaws(t *testing.T) {
	for _, name := range []string{
		"Greedy *", "GreedyP *", "GreedyPM *", "Greedy/per", "GreedyP/per", "GreedyPM/per", "Greedy */per",
		"GreedyP */per/minft=30", "GreedyPM */per/minvt=20", "MCB8 *", "MCB8/per", "MCB8 */per/minvt=10", "/per",
	} {
		p, err := catalog.Parse(name, 30*cluster.Second)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { policytest.Check(t, p) })
	}
}
