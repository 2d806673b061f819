// Package policytest holds what every policy must obey, as tests that any policy can be put
// to, and stories of decisions that people can read.
//
// Check draws clusters by rapid and drives them with commands, the way a leader and its
// monitors would; there is no fake state. RunStories replays testdata of a policy family.
// Moves are carried out by a World at once: how to get from one allocation to another
// safely is package migrate's business and not tested here.
//
// The laws: a decision is a function of the view, and leaves it alone; memory fits, CPU
// fits, jobs are placed whole, where they are allowed; who cannot be paused is not; the
// order in which news came within one instant does not matter; a decision that was adopted
// is not changed by deciding again; on a cluster that is large enough every job gets its
// full need.
package policytest
