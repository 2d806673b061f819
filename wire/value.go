package wire

import (
	"errors"
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

// The generated conversions call the functions below after reading a value. Each refuses values that no node would
// send, and cuts values that may be too long or too large.

func checkRunID(r *cluster.RunID) error {
	if r.Job == 0 || r.Index < 0 || r.Index > math.MaxInt32 || r.Number < 1 || r.Number > math.MaxInt32 {
		return fmt.Errorf("%v is not a run: jobs and runs count from 1, tasks from 0", *r)
	}
	return nil
}

func checkOrder(o *cluster.Order) error {
	switch {
	case o.Want < cluster.Stay:
		return fmt.Errorf("%v: an order without a wanted state", o.Run)
	case o.Spec == nil || o.CPU < 0:
		return fmt.Errorf("%v: an order without a specification, or with a cap of %v", o.Run, o.CPU)
	}
	return nil
}

func checkObservation(o *cluster.Observation) error {
	switch {
	case o.Seen < cluster.SeenBooting:
		return fmt.Errorf("%v: an observation without a state", o.Run)
	case o.Cap < 0 || o.Image < 0:
		return fmt.Errorf("%v: a cap of %v and an image of %v", o.Run, o.Cap, o.Image)
	case o.Seen == cluster.SeenExited && o.Exit == nil:
		return fmt.Errorf("%v: an exit without its code", o.Run)
	}
	o.Cap, o.Image = min(o.Cap, maxCPU), min(o.Image, maxMemory)
	o.Platform, o.Cause = words(o.Platform, maxWord), words(o.Cause, maxText)
	return nil
}

func checkExit(e *cluster.Exit) error {
	e.Signal, e.Cause = words(e.Signal, maxWord), words(e.Cause, maxText)
	return nil
}

func checkWork(w *cluster.Work) error {
	w.Ran, w.Waited = within(w.Ran, maxMicros), within(w.Waited, maxMicros)
	return nil
}

func checkDescription(d *cluster.Description) error {
	switch {
	case !d.Plausible():
		return fmt.Errorf("no node has %v and %v at an overhead of %v per VM, a speed of %d and a measured one of %d",
			d.CPU, d.Memory, d.Overhead, d.Speed, d.Measured)
	case len(d.MigrateURI) > maxURI:
		return fmt.Errorf("a migrate-uri of %d bytes; at most %d are allowed", len(d.MigrateURI), maxURI)
	}
	if cluster.CheckMigrateURI(d.MigrateURI, true) != nil {
		d.MigrateURI = "" // an invalid URI might run a program on the nodes that ask there, so no VM moves there
	}
	d.Immobile = d.Immobile || d.MigrateURI == "" // monitors before Format 10 do not say
	for i := range d.Platforms {
		d.Platforms[i] = words(d.Platforms[i], maxWord)
	}
	d.Hypervisor, d.Program = words(d.Hypervisor, maxText), words(d.Program, maxWord)
	for _, l := range d.Labels {
		if len(l.Key) > maxLabel || len(l.Value) > maxLabel {
			return fmt.Errorf("a label with a key of %d and a value of %d bytes; at most %d each are allowed", len(l.Key), len(l.Value), maxLabel)
		}
	}
	return errors.Join(counted(len(d.Platforms), maxPlatforms, "platforms"), counted(len(d.Labels), maxLabels, "labels"))
}

func checkForeign(f *cluster.Foreign) error {
	if f.CPU < 0 || f.Memory < 0 {
		return fmt.Errorf("foreign VMs that use %v and %v", f.CPU, f.Memory)
	}
	f.CPU, f.Memory = min(f.CPU, maxCPU), min(f.Memory, maxMemory)
	return nil
}

func unpackCluster(b []byte) (id [16]byte, err error) {
	var r schema.Reader
	r.Exactly(id[:], b)
	return id, r.Err()
}
