// Package report presents the results of sweeps: as text for a terminal, and as one self-contained
// HTML page with tables, figures, and for every mean the median, the deciles and the worst traces.
//
// It computes no schedule and judges none. Pages are made by html/template, so names of traces and
// policies may hold any characters. There are no scripts: the browser itself unfolds details.
//
// Invariants: the same results give the same bytes; a missing measurement is shown as absent, never as
// zero.
//
// Reference: D. G. Feitelson, "Metrics for Parallel Job Scheduling and Their Convergence" (2001), for
// why a mean alone misleads.
package report
