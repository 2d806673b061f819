// Package bench measures the whole from outside: the program aliquotd as shipped, through REST. Each package has its
// own benchmarks for its own costs. The package sets no goals: figures and goals are in docs/performance.md.
//
// Invariant: results are percentiles of all samples, never averages.
//
// Reference: Gil Tene, "How NOT to Measure Latency" (2015).
package bench
