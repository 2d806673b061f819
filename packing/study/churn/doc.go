// Package churn compares the moves of different ways to pack anew, on seeded sequences in which some
// jobs leave and new ones fill the memory again.
//
// It measures and decides nothing. At every step all ways start from the same state, the one that
// stable packing left behind, so that their yields and moves are comparable step by step.
//
// Invariant: a family, a seed and a number of steps give the same figures everywhere.
//
// Reference: the sequences resemble a cluster between two ticks; sizes are drawn as in package
// instance.
package churn
