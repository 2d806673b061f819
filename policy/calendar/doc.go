// Package calendar records promises in time: how many nodes, and which, are free as a function of time. Backfilling
// uses it to find the starts of waiting jobs; reservations and priced slots will use it in the same way.
//
// A calendar begins at a time and never ends. It is cut into steps; nothing changes during a step. A step has a count
// of free nodes and, in a calendar made by New, the set of busy nodes. Nodes are booked in two ways:
//
//   - Book takes certain nodes. They are the same for the whole interval, so a job on them need not move.
//   - BookAny takes a number of interchangeable nodes without naming them. A job that has not started can still go to
//     any of them, so it is enough that the count suffices at every moment.
//
// A calendar made by Load knows counts only. Backfilling rebuilds such calendars from the view at each decision. The
// unit of the count is the caller's: nodes of a class, cores of a node, bytes of memory.
//
// Steps are the leaves of a B-tree over time. Each place of the tree knows the least and the greatest count below it,
// the nodes that are busy all the time and the nodes that are busy at some time. An operation visits the part of the
// tree that overlaps its interval and one path down to it, however much is booked elsewhere.
//
// The package does not know the purpose of a booking and decides nothing. A calendar is not safe for concurrent use,
// not even for reading.
//
// Invariants: no node is booked twice at any moment. A count is never negative and never above the number of nodes. A
// calendar made by New has as few steps as possible. A caller that breaks a rule has a bug: the calendar panics with
// the numbers.
//
// References: the lists of availability of Li et al., "Resource Availability-Aware Advance Reservation for Parallel
// Jobs with Deadlines", kept in a tree instead of a list; the profile of Mu'alem and Feitelson (see package
// backfill).
package calendar
