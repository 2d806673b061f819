// Package store replicates cluster.State over the managers with Raft.
//
// A Store is one replica. Propose returns once a command is durable on a majority and applied here. Read returns a
// state that includes everything acknowledged before, by any replica. Latest returns the state applied here so far.
// Leader is a hint, because two replicas can believe to lead for a moment: commands reserved for the leader carry the
// epoch of its Claim, and State refuses other epochs.
//
// The store does not interpret the state and decides nothing. Refusals are results, never errors. A replica that can no
// longer agree with the others halts, because its state differs or a newer program wrote a command that it cannot
// apply. It then applies, reads and saves nothing, closes Halted, and does not disturb the others.
//
// Raft knows members by a UUID derived from the cluster and their name, so their addresses and the machine's name may
// change.
//
// Reference: D. Ongaro, "Consensus: Bridging Theory and Practice" (Stanford, 2014), by way of
// github.com/lni/dragonboat.
package store
