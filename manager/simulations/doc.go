// Package simulations runs simulations for REST clients, one at a time, each in a child process of low priority with
// limits of time and memory, and keeps their reports in a folder.
//
// It does not interpret simulations or reports: the child gets a folder with the order and leaves the report there. Its
// data belong to this manager and are not replicated.
//
// Invariants: at most one child runs; the child dies with the manager; a report is complete or absent; the folder is
// limited in number and bytes, and the oldest simulations are dropped first. A child killed for its limits is a failed
// simulation with that reason. The limits use Linux's setrlimit(2) and nice(1).
package simulations
