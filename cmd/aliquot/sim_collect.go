package main

import "runtime/debug"

// Limits of garbage in a simulation: percent of the live heap, and the most jobs for which it may accumulate.
const (
	pilePercent = 400
	pileJobs    = 250_000
)

// pileUp makes garbage collection rarer until the returned function is called: a simulation of few jobs keeps little
// memory and makes much garbage. With more jobs, where a million must fit into 1 GB, and with a GOGC set by the user,
// nothing changes.
func (a *app) pileUp(jobs int) (restore func()) {
	if _, set := a.env("GOGC"); set || jobs > pileJobs {
		return func() {}
	}
	before := debug.SetGCPercent(pilePercent)
	return func() { debug.SetGCPercent(before) }
}
