// Package simulations runs simulations for people who ask over REST, one at a time, each in a child process of low
// priority with bounds on its time and memory, and keeps their reports in a folder.
//
// It neither knows what a simulation is nor reads its report's meaning: the child gets a folder with the order and leaves
// the report there. What it keeps is this manager's own and is not replicated.
//
// Invariants: at most one child runs; the child dies with the manager; a report is there in whole or not at all; what
// is kept is bounded in number and bytes, the oldest goes first. A child killed for its bounds is a simulation that failed, with the
// reason. Linux's setrlimit(2) and nice(1) do the bounding.
package simulations
