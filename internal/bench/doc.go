// Package bench measures the whole from outside: the program aliquotd as it is shipped,
// spoken to through REST. What a single package costs is measured by that package's own
// benchmarks. Nothing here says how fast is fast enough: figures and goals are in
// docs/performance.md, and how they are taken follows Gil Tene, "How NOT to Measure
// Latency" (2015): percentiles of all samples, no averages.
package bench
