// Package hetero reproduces a paper on unlike machines: it makes a synthetic site, lists and runs the experiments of
// its four case studies, and compares their results with its claims. It opens no file.
//
// The paper's run times are not published. The site has its numbers of machines, clusters and classes, and made-up
// times; a dozen others differ from it at random. So only claims about orders, ratios and rates can be compared, and a
// claim holds if it holds on every site.
//
// Invariants: the same experiment gives the same result but for its time; a claim without all of its experiments counts
// as not run.
//
// Reference: Collins, George, "Parallel and Sequential Job Scheduling in Heterogeneous Clusters: A Simulation Study
// using Software in the Loop" (Simulation, 2001).
package hetero
