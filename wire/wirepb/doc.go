// Package wirepb holds the generated messages and the gRPC service between monitors and the leading
// manager. They carry data, not behaviour: package wire converts them to the cluster's types. Field
// numbers are never reused; see "Updating A Message Type" in the Protocol Buffers language guide
// (proto3).
package wirepb

//go:generate ./generate
