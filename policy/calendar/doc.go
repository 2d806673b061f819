// Package calendar keeps what is promised when: how many nodes, and which, are free as a function of time. Backfilling
// finds the starts of waiting jobs with it; reservations and priced slots are to do the same.
//
// A calendar begins at a time and never ends. It is cut into steps, during each of which nothing changes. A step has
// a count of free nodes and, in a calendar of New, the set of those that are busy. Nodes are booked in two ways:
//
//   - Book takes certain nodes. They are the same for the whole interval, so that what runs on them need not move.
//   - BookAny takes a number of nodes that are all alike, without saying which. What has not started can still be put on
//     any of them, so it is enough that the count suffices at every moment.
//
// A calendar of Load knows counts only, and is what backfilling rebuilds from the view at each decision. It may count
// anything that is handed out in units: nodes of a class, cores of a node, bytes of memory.
//
// Steps are in the leaves of a B-tree over time. Each place of the tree knows the least and the greatest count below
// it, the nodes that are busy all the time and those that are busy at some time. Operations look at what overlaps the
// interval asked about, and at one path down to it, however much is booked elsewhere.
//
// It does not know what the bookings are for, nor does it decide anything. A calendar is not safe for concurrent use,
// reading included.
//
// Invariants: no node is booked twice at any moment, and never more nodes than there are; the steps of a calendar of
// New are as few as possible. A caller who breaks a rule has a bug, and the calendar panics with the numbers.
//
// References: the lists of availability of Li et al., "Resource Availability-Aware Advance Reservation for Parallel
// Jobs with Deadlines", kept in a tree instead of a list; the profile of Mu'alem and Feitelson (see package backfill).
package calendar
