// Package report shows what sweeps came to: as text for a terminal, and as one HTML page that needs nothing but
// itself, with tables, figures, and beside every mean the median, the deciles and the worst traces.
//
// It computes no schedule and judges none. Pages are made by html/template, so names of traces and policies may hold
// anything. There are no scripts: what unfolds is the browser's own.
//
// Invariants: the same results give the same bytes; what was not measured is shown as absent, never as zero.
//
// Reference: D. G. Feitelson, "Metrics for Parallel Job Scheduling and Their Convergence" (2001), for why a mean
// alone misleads.
package report
