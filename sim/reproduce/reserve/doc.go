// Package reserve reproduces a paper on advance reservation: it lists the experiments behind its Figures 2 to 7, and
// compares their results with every claim of its text. It runs no experiment and opens no file.
//
// The points of the paper's figures are lost, so orders and shapes are compared. Differences of policies are paired:
// the same streams under both. Every mean is over independent streams and has an interval of confidence.
//
// Invariants: the same scope gives the same experiments; a claim without all of its experiments counts as not run.
//
// Reference: Li, Pei, Shen, Wu, He, Yang, "Resource Availability-Aware Advance Reservation for Parallel Jobs with
// Deadlines".
package reserve
