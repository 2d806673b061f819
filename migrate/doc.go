// Package migrate finds the way from the actual to the target allocation: an ordered list of moves, each with the
// moves that it must wait for.
//
// A move that brings a VM to a node starts only when the node has the memory, counting every other move that may be
// under way at the same time. A pause starts only when the store has room for the image. Moves already under way are
// not changed. If migrations wait for each other in a cycle, one of them becomes a pause and a resume.
//
// Plans are not stored: they are rebuilt from the view after every change. Plan.Check, in the tests, verifies a plan
// independently of Build.
//
// Invariant: a plan is feasible after every prefix, in every order that its waits allow.
//
// Reference: BtrPlace's reconfiguration plans (Hermenier, Lawall, Muller, "BtrPlace: A Flexible Consolidation Manager
// for Highly Available Applications", IEEE TDSC 2013).
package migrate
