// Package backfill implements batch scheduling. A job gets whole nodes, one for each task, or whole cores, and keeps
// them until it ends. One algorithm has three rules for promises to the queue. FCFS promises order: no job overtakes
// another. EASY promises a start to the head of the queue; a job may overtake if it does not delay the head.
// Conservative backfilling promises every job a start, in the order of submission.
//
// The policy moves and pauses nothing of its own accord. A job keeps its nodes, even if they shrink, until a node
// drains or is lost; then it queues again at its old place. The policy knows run times only by estimates. It keeps no
// memory: each decision derives all promises anew from the view. docs/policies/backfill.md describes the
// consequences.
//
// The file cores.go holds everything specific to packing by cores: a node takes as many tasks as it has cores and
// memory for, of any jobs, or of one job if nodes are exclusive.
//
// Invariants: a task is never placed on a node, or on cores, that another task holds. A job never delays the promised
// start of a job ahead of it, as long as estimates hold.
//
// References: D. Lifka, "The ANL/IBM SP scheduling system", JSSPP 1995 (EASY); A. Mu'alem, D. Feitelson,
// "Utilization, predictability, workloads, and user runtime estimates in scheduling the IBM SP2 with backfilling",
// IEEE TPDS 12(6), 2001 (both kinds of backfilling).
package backfill
