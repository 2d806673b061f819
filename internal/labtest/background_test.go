package labtest

import (
	"flag"
	"sync"
)

// What has a machine or nodes of its own and measures nothing that others disturb runs
// beside the scenes, which mostly wait: that saves a run of all tests some minutes.
var background struct {
	begin   sync.Once
	running sync.WaitGroup
}

// runBeside starts it, unless only some tests were asked for.
func runBeside() {
	if f := flag.Lookup("test.run"); f != nil && f.Value.String() != "" {
		return
	}
	background.begin.Do(func() {
		background.running.Go(func() {
			theEmulation()
			theMonitors()
		})
	})
}

// standAlone returns when nothing of it runs, so that CPU can be measured.
func standAlone() { background.running.Wait() }
