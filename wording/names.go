package wording

import (
	"fmt"

	"aliquot/cluster"
)

// Names formats jobs, nodes and shares. A nil function means the plain form: j7, node 3, 350m.
type Names struct {
	Job   func(cluster.JobID) string
	Node  func(cluster.NodeID) string
	Share func(cluster.CPU) string
}

// Of returns the plain names, except that nodes have their names in the state.
func Of(s *cluster.State) Names {
	return Names{Node: func(id cluster.NodeID) string {
		if n := s.Node(id); n != nil {
			return n.Name
		}
		return plainNode(id)
	}}
}

// complete replaces nil functions by the plain form.
func (n Names) complete() Names {
	if n.Job == nil {
		n.Job = cluster.JobID.String
	}
	if n.Node == nil {
		n.Node = plainNode
	}
	if n.Share == nil {
		n.Share = cluster.CPU.String
	}
	return n
}

func plainNode(id cluster.NodeID) string { return fmt.Sprintf("node %d", id) }

// said holds a code's numbers while they become words.
type said struct {
	Names
	values []int64
}

// value returns the number at index i, or 0 if there is none.
func (s said) value(i int) int64 {
	if i < len(s.values) {
		return s.values[i]
	}
	return 0
}

func (s said) job(i int) string    { return s.Job(cluster.JobID(s.value(i))) }
func (s said) node(i int) string   { return s.Node(cluster.NodeID(s.value(i))) }
func (s said) share(i int) string  { return s.Share(cluster.CPU(s.value(i))) }
func (s said) memory(i int) string { return cluster.Bytes(s.value(i)).Words() }
func (s said) span(i int) string   { return (cluster.Time(s.value(i)) * cluster.Second).Words() }
func (s said) yield(i int) string  { return fmt.Sprintf("%.2f", float64(s.value(i))/1000) }

// plural formats "1 node", "3 nodes" and "0 nodes".
func (s said) plural(i int, thing string) string {
	if s.value(i) == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", s.value(i), thing)
}
