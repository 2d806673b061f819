// Package clusterpb is how commands, events and states of package cluster are written down: in Raft's log, in
// snapshots and in the segments of the event log.
//
// It is generated from cluster.proto and used by package cluster alone, which checks all that it reads. Field numbers
// are never used again for something else. A field that changes what Apply does comes with a higher cluster.Format, so
// that no replica applies a command that it half understands.
//
// Reference: https://protobuf.dev/programming-guides/proto3/.
package clusterpb

//go:generate sh -c "go build -o protoc-gen-go.tmp google.golang.org/protobuf/cmd/protoc-gen-go && protoc --plugin=protoc-gen-go=./protoc-gen-go.tmp --go_out=. --go_opt=paths=source_relative cluster.proto; e=$?; rm -f protoc-gen-go.tmp; exit $e"
