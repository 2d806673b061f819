package wire

import (
	"fmt"

	"aliquot/cluster"
	"aliquot/internal/schema"
	"aliquot/wire/wirepb"
)

// PackOrders translates orders into their message. Each order carries only the part of its job's specification that its
// node needs. So the size of a message follows the number of runs, not the text of their jobs, which a user may make
// long: few runs begin at once.
func PackOrders(o cluster.Orders) *wirepb.Orders {
	runs := make([]cluster.Order, len(o.Runs))
	for i, r := range o.Runs {
		runs[i] = r
		runs[i].Spec = needed(r)
	}
	o.Runs = runs
	return packOrders(&o)
}

// needed returns the part of the job's specification that carries out the order. Only a new VM gets its guest's task,
// its disk and its files. All are held to the limits of what their guests may write, and those without outputs may
// leave no files. New VMs of those are not told so: earlier monitors would refuse such a task.
func needed(o cluster.Order) *cluster.Spec {
	s := &cluster.Spec{Tasks: o.Spec.Tasks, Need: o.Spec.Need, Requirement: o.Spec.Requirement, Image: o.Spec.Image,
		Limits: o.Spec.Limits}
	if o.Want == cluster.Begin {
		s.Command, s.Args, s.Env = o.Spec.Command, o.Spec.Args, o.Spec.Env
		s.Disk, s.CloudInit, s.Files, s.Outputs = o.Spec.Disk, o.Spec.CloudInit, o.Spec.Files, o.Spec.Outputs
	} else if s.Limits.ResultBytes = o.Spec.ResultLimit(); s.Limits.ResultBytes == 0 {
		s.Limits.ResultBytes = cluster.NoResults
	}
	return s
}

// UnpackOrders translates the message back. It fails on a message that no leader would send.
func UnpackOrders(m *wirepb.Orders) (cluster.Orders, error) {
	var r schema.Reader
	o := unpackOrders(&r, m)
	if err := r.Err(); err != nil {
		return o, fmt.Errorf("orders: %w", err)
	}
	return o, nil
}
