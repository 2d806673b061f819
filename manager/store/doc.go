// Package store replicates cluster.State over the managers with Raft.
//
// A Store is one replica. Propose returns once a command is durable on a majority and applied here; Read returns a
// state that has everything in it that was acknowledged before, wherever it was acknowledged; Latest returns what this
// replica has applied so far. Leader is a hint, as two replicas can believe to lead for a moment: what only a leader
// may do carries the epoch of its Claim, and State refuses others.
//
// The store does not look into the state and decides nothing. It answers refusals as results, never as errors. A
// replica that can no longer agree with the others, because its state differs or a newer program wrote what it is to
// apply, halts: it applies, reads and saves nothing any more, says so on Halted, and leaves the others alone.
//
// Members are known to Raft by a UUID made of the cluster and their name, so that their addresses, and the name of the
// machine, may change.
//
// Reference: D. Ongaro, "Consensus: Bridging Theory and Practice" (Stanford, 2014), by way of
// github.com/lni/dragonboat.
package store
