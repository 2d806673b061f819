package world

import (
	"fmt"
	"testing"
	"time"
)

// undisturbed is a plan in which nothing goes wrong.
var undisturbed = plan{jobs: 15, lasts: 3 * time.Minute}

func TestWithoutFaultsNoPromiseIsBroken(t *testing.T) {
	fell := 0
	for seed := *first; seed < *first+uint64(*seeds)/5; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			o := run(t, seed, logged(), &undisturbed)
			if len(o.broken) > 0 || o.lost > 0 {
				for _, n := range o.notes {
					t.Log(n)
				}
				t.Errorf("%d promises were broken; violations: %v", o.lost, o.broken)
			}
			fell += o.fell
		})
	}
	t.Logf("%d promises fell due and had all that was promised", fell)
	if *seeds >= 50 && fell == 0 {
		t.Error("no promise was put to the test")
	}
}
