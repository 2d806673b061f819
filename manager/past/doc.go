// Package past keeps the recent past in memory, for charts: for how long each task was on which node
// with which share, derived from events, and the mean per minute of sampled numbers.
//
// It knows no clock, file or lock; its callers bring them. It states its gaps: a gap in a series is
// NaN, and spans report since when they are complete.
//
// Invariants: the spans of a task do not overlap and none has length zero; the size is bounded
// however long it runs. The rows per minute in a ring follow T. Oetiker's RRDtool.
package past
