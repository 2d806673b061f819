package labtest

import (
	"flag"
	"sync"
)

// background runs the tests that have their own machine or nodes beside the scenes, which mostly wait. They run one
// after the other. Nodes of the plays may take 1.8 cores, those of the scenes 1.5: together more than two. So neither
// measures what the other disturbs: the tiers have a core before everyone else, and plays compare decisions, not how
// fast they are carried out. This saves some minutes of a run of all tests.
var background struct {
	begin   sync.Once
	running sync.WaitGroup
}

// runBeside starts the background tests, unless -run selects tests.
func runBeside() {
	if f := flag.Lookup("test.run"); f != nil && f.Value.String() != "" {
		return
	}
	background.begin.Do(func() {
		background.running.Go(func() {
			theEmulation()
			theMonitors()
			theTiers()
			thePlays()
		})
	})
}

// standAlone returns when the background tests have ended, so that CPU can be measured.
func standAlone() { background.running.Wait() }
