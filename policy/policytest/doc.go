// Package policytest holds the laws that every policy must obey, as tests for any policy, and stories of decisions
// for people to read.
//
// Check draws clusters by rapid and drives them with commands, as a leader and its monitors would; there is no fake
// state. RunStories replays the testdata of a policy family. A World carries out moves at once: the safe way from one
// allocation to another is the business of package migrate and not tested here.
//
// The laws: a decision is a function of the view and does not change it. Memory fits, CPU fits, jobs are placed whole
// and only where they are allowed. A job that cannot be paused is not paused. The order of events within one instant
// does not matter. Deciding again after a decision was adopted changes nothing. On a large enough cluster every job
// gets its full need.
package policytest
