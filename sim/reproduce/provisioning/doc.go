// Package provisioning reproduces Singh's thesis on provisioning: it draws streams of tasks and workflows by seed, runs
// the experiments of its chapters on package market, and compares the results with its claims. It opens no file.
//
// The points of the thesis' figures are lost, and its logs are replaced by streams of the same machines and loads. So
// only claims about orders and ratios can be compared.
//
// Invariants: the same experiment gives the same result but for its time; a claim without all of its experiments counts
// as not run; every plan of ours has passed the checker of package market.
//
// Reference: G. Singh, "An End-to-End Framework for Provisioning Based Resource and Application Management in Grids"
// (PhD thesis, University of Southern California, 2008).
package provisioning
