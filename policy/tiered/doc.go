// Package tiered implements parallel job scheduling on nodes with two tiers. A processor has room for one foreground
// and one background task. The background task gets the CPU that the foreground task leaves. In the paper a node is a
// processor; a node here may have several, one for each whole core that it offers (cluster.Description.Slots).
//
// The loop is that of EASY backfilling over foreground places: jobs start in the order of submission, and others may
// overtake the first that has to wait if they do not delay it. Jobs that run in the background take part in it like
// jobs that wait. Then waiting jobs go to the background, the shortest first. The three policies differ in what becomes
// of a background job that may go to the foreground while the foreground of its own nodes is not free. KEASY kills it,
// so that it starts anew elsewhere. MEASY migrates it. REASY leaves it where it is, and reserves its own nodes for it.
//
// The policy keeps no memory: each decision derives all reservations anew from the view, and forgets them. It knows run
// times by estimates only, and gives no credit for progress in the background. docs/policies/tiered.md says what
// deviates from the paper.
//
// Attained is a policy of ours for the same nodes. It ranks jobs by the service that they have had, without estimates,
// and lets those that leave the foreground sink to the background of their nodes.
//
// Invariants: a processor has at most one task of the policy in each tier. Under the paper's policies, foreground
// jobs are never moved or demoted, so that a job is killed or migrated at most once, unless a node has to be left.
//
// Reference: X. Liu, C. Wang, X. Qiu, B. B. Zhou, B. Chen, A. Y. Zomaya, "Scheduling Parallel Jobs Using Migration and
// Consolidation in the Cloud", Mathematical Problems in Engineering 2012, article 695757.
package tiered
