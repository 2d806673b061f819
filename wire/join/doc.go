// Package join makes a machine a member of the cluster: the join token that an operator hands over,
// the node's key and certificate request, the file that keeps them, and the TLS settings that follow.
// Package manager/ca issues the certificates.
//
// Invariants: a node's private key never leaves the node; a manager is trusted because the cluster's
// own CA certifies it as a manager, whatever its address; before a node knows that CA, it trusts only
// the one whose SHA-256 the token carries.
//
// The token follows the idea of kubeadm's discovery by the hash of the CA.
package join
