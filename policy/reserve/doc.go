// Package reserve implements advance reservation for parallel jobs with deadlines. A job asks for nodes for a
// duration, between its ready time and its deadline. The answer is given once, when the job arrives: a start and the
// very nodes, or a refusal. Nothing that was promised moves later. A job that ends early gives the rest of its
// interval back; one that is not done at the end of its interval is cut, because the nodes are promised to others
// then.
//
// Possible starts are the ready time, the latest start, every time at which a node becomes busy or free, and the
// starts that let the job end at such a time. Seven rules choose among those at which enough nodes are free for the
// whole duration. They compare the availability rectangles of the starts: the nodes that are free for the duration,
// and the longest interval around it in which all of them are free.
//
// The availability of the nodes by identity is in a calendar. Policy derives it from the promises that the view has; a
// live cluster keeps none yet, so there it refuses every job. docs/policies/reserve.md has the symbols and what
// deviates from the paper.
//
// Invariants: a node is promised to one job at a time. A promised interval lies between the ready time and the
// deadline.
//
// Reference: B. Li, Y. Pei, B. Shen, H. Wu, M. He, J. Yang, "Resource Availability-Aware Advance Reservation for
// Parallel Jobs with Deadlines" (AvailRectList).
package reserve
