package wire

import (
	"fmt"
	"math"
	"strings"

	"aliquot/cluster"
	"aliquot/internal/schema"
)

// text replaces invalid UTF-8, because a hypervisor or a guest may send any bytes.
func text(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func texts(list []string) []string {
	return schema.List(list, func(s *string) string { return text(*s) })
}

// The generated conversions call the functions below with what they have read. Each refuses what nobody would send.

func checkRunID(r *cluster.RunID) error {
	if r.Job == 0 || r.Index < 0 || r.Index > math.MaxInt32 || r.Number < 1 || r.Number > math.MaxInt32 {
		return fmt.Errorf("%v is no run: jobs and runs count from 1, tasks from 0", *r)
	}
	return nil
}

func checkOrder(o *cluster.Order) error {
	switch {
	case o.Want < cluster.Stay:
		return fmt.Errorf("%v: an order that wants nothing", o.Run)
	case o.Spec == nil || o.CPU < 0:
		return fmt.Errorf("%v: an order without a specification, or with a cap of %v", o.Run, o.CPU)
	}
	return nil
}

func checkObservation(o *cluster.Observation) error {
	switch {
	case o.Seen < cluster.SeenBooting:
		return fmt.Errorf("%v: nothing was seen", o.Run)
	case o.Cap < 0 || o.Image < 0:
		return fmt.Errorf("%v: a cap of %v and an image of %v", o.Run, o.Cap, o.Image)
	case o.Seen == cluster.SeenExited && o.Exit == nil:
		return fmt.Errorf("%v: an exit without its code", o.Run)
	}
	return nil
}

func checkDescription(d *cluster.Description) error {
	if d.CPU < 0 || d.Memory < 0 || d.Overhead < 0 {
		return fmt.Errorf("a node of %v and %v with an overhead of %v", d.CPU, d.Memory, d.Overhead)
	}
	return nil
}

func checkForeign(f *cluster.Foreign) error {
	if f.CPU < 0 || f.Memory < 0 {
		return fmt.Errorf("foreign VMs that use %v and %v", f.CPU, f.Memory)
	}
	return nil
}
func unpackCluster(b []byte) (id [16]byte, err error) {
	var r schema.Reader
	r.Exactly(id[:], b)
	return id, r.Err()
}
