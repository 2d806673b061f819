// Package ca keeps the cluster's certificate authorities and secrets in files: the CA of managers and
// nodes, the CA of Raft, and the administrator's token. All are made at the first start. Managers of
// one cluster have the same folder of CAs, copied or shared, so that each of them can certify a node.
//
//	ca.crt ca.key             managers and nodes; ca.crt is what REST clients trust
//	raft-ca.crt raft-ca.key   managers among themselves, so that no node can speak Raft
//
// It knows names and keys only, neither permissions nor the cluster's state.
//
// Invariants: a key or secret that others than its owner can read is refused; a node's certificate is
// valid as a client of that name and as nothing else; a secret is never part of an error.
//
// The certificates follow RFC 5280 with P-256 keys (FIPS 186-5).
package ca
