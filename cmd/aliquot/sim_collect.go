package main

import "runtime/debug"

// Garbage of a simulation, in percent of what it keeps, and the jobs up to which that is done.
const (
	pilePercent = 400
	pileJobs    = 250_000
)

// pileUp lets garbage be collected less often until the function that it returns is called: a
// simulation of few jobs keeps little and makes much. One of more jobs, which has to do with 1 GB
// for a million, and a user who has set GOGC get what they had.
func (a *app) pileUp(jobs int) (restore func()) {
	if _, set := a.env("GOGC"); set || jobs > pileJobs {
		return func() {}
	}
	before := debug.SetGCPercent(pilePercent)
	return func() { debug.SetGCPercent(before) }
}
