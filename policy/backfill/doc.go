// Package backfill holds batch scheduling: jobs get whole nodes, one for each task, or whole cores, and keep them until
// they end. It is one algorithm with three rules about what the queue is promised: FCFS promises order, so that no job
// overtakes another; EASY promises a start to the head of the queue, and a job that does not delay it may overtake;
// conservative backfilling promises every job a start in the order of submission.
//
// It moves and pauses nothing of its own accord: a job keeps its nodes, also when they shrink,
// until a node drains or is lost; then it queues again at its old place. It knows
// nothing of run times but estimates, and keeps no memory: promises are made anew from the
// view, see docs/policies/backfill.md for what that means.
//
// The file cores.go holds all that packing by cores does differently: a node takes as many tasks as it has cores and
// memory for, of any jobs, or of one job if nodes are exclusive.
//
// Invariants: no task is placed on a node, or on cores, that another task holds; a start that is promised
// is not delayed by a job behind, as far as estimates hold.
//
// References: D. Lifka, "The ANL/IBM SP scheduling system", JSSPP 1995 (EASY); A. Mu'alem,
// D. Feitelson, "Utilization, predictability, workloads, and user runtime estimates in
// scheduling the IBM SP2 with backfilling", IEEE TPDS 12(6), 2001 (both ways of backfilling).
package backfill
