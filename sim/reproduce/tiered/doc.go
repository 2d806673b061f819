// Package tiered reproduces a paper on two tiers: it lists the experiments behind its figures, and compares their
// results with its claims. It runs no experiment and opens no file.
//
// The paper's streams are not published. Ours come from surrogates of its models, so only claims about orders, ratios
// and loads can be compared, not numbers of seconds. Every mean is over independent streams and has an interval of
// confidence.
//
// Invariants: the same scope gives the same experiments; a claim without all of its experiments counts as not run.
//
// Reference: Liu, Wang, Qiu, Zhou, Chen, Zomaya, "Scheduling Parallel Jobs Using Migration and Consolidation in the
// Cloud" (Mathematical Problems in Engineering, 2012).
package tiered
