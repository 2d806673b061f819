// Package past is what was: for how long each task was where and with which share, told from
// events, and the means of each minute of numbers that are sampled, for charts.
//
// It keeps a bounded part of that in memory and knows no clock, file or lock: who feeds and
// asks it brings these. What it does not know it says: a gap in a series is NaN, and spans tell since
// when they are complete.
//
// Invariants: the spans of a task do not overlap and none has length zero; what is kept has a
// bound that does not depend on how long it runs. The rows per minute in a ring follow
// T. Oetiker's RRDtool.
package past
