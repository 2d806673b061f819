// Package migrate finds the way from the actual to the target allocation: an ordered list
// of moves, each with what it must wait for.
//
// A move that brings a VM to a node starts only when the node has the memory, with every
// other move that may be under way at the same time counted; a pause starts only when the
// store has room for the image. Moves already under way are fixed points. Migrations that
// wait for each other in a cycle are broken up: one of them becomes a pause and a resume.
//
// Plans are not stored: they are rebuilt from the view whenever something has changed.
// Plan.Check verifies a plan independently of Build. The problem is that of BtrPlace's
// reconfiguration plans (Hermenier, Lawall, Muller, "BtrPlace: A Flexible Consolidation
// Manager for Highly Available Applications", IEEE TDSC 2013).
package migrate
