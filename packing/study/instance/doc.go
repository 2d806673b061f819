// Package instance draws packing problems by seed, so that benchmarks, tests and the command line use
// the same ones. It solves nothing, except to place pinned tasks.
//
// Invariant: a family and a seed give the same valid problem everywhere and forever; published
// figures name both. All quantities are whole numbers, so that sums are exact.
//
// Reference: H. Casanova, M. Stillwell, F. Vivien, "Dynamic Fractional Resource Scheduling vs. Batch
// Scheduling", INRIA RR-7659, 2011, section 5.3.2 (discrete tasks).
package instance
