// Package join is how a node becomes a member: the join token that an operator hands over,
// the node's key and certificate request, the file it keeps them in, and the TLS settings
// that follow. Issuing certificates is the managers' business, in package manager/ca.
//
// Invariants: a node's private key never leaves the node; a manager is trusted because the
// cluster's own CA says that it is a manager, whatever address it was reached at; before a
// node knows that CA, it trusts the one whose SHA-256 the token carries and no other.
//
// The token follows the idea of kubeadm's discovery by the hash of the CA.
package join
