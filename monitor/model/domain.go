package model

import (
	"os"
	"slices"
	"time"

	"aliquot/cluster"
	"aliquot/guest/protocol"
	"aliquot/monitor"
	"aliquot/monitor/reconcile"
)

// domain is one VM on one node.
type domain struct {
	vm     monitor.VM
	vcpus  int
	memory cluster.Bytes
	folder monitor.Folder
	state  reconcile.State
	cap    cluster.CPU
	tier   cluster.Tier
	core   cluster.CoreID
	guest  guest
	rate   cluster.CPU   // CPU that it uses now
	used   time.Duration // CPU time on this node
	job    *job          // a save or migration in progress

	sampled   time.Duration // value of used at the last sample
	sampledAt time.Time
}

// job is a save or a migration in progress.
type job struct {
	begun time.Time
	takes time.Duration
	bytes cluster.Bytes
	abort chan struct{}
}

// progress returns how far the job is at the given time.
func (j *job) progress(now time.Time) monitor.Progress {
	part := min(1, float64(now.Sub(j.begun))/float64(max(1, j.takes)))
	return monitor.Progress{Done: cluster.Bytes(part * float64(j.bytes)), Total: j.bytes}
}

// wants returns the CPU, in reference millicores, that the guest would use if it were alone on a node of that speed.
func (d *domain) wants(speed cluster.Speed) cluster.CPU {
	if d.state != reconcile.Running || d.guest.Stage == sleeping || d.guest.Stage == over {
		return 0
	}
	return min(d.cap, speed.Reference(d.guest.Appeal))
}

// speed returns how much of its stage the guest completes per second.
func (d *domain) speed() float64 {
	switch {
	case d.state != reconcile.Running || d.guest.Stage == over || d.guest.Left == forever:
		return 0
	case d.guest.Stage == sleeping:
		return 1
	}
	return float64(d.rate) / float64(cluster.Core)
}

// advance lets the guest run for the given time.
func (d *domain) advance(t time.Duration) {
	if d.state != reconcile.Running {
		return
	}
	d.guest.Age += t
	d.used += time.Duration(float64(t) * float64(d.rate) / float64(cluster.Core))
	if speed := d.speed(); speed > 0 {
		d.guest.Left -= time.Duration(speed * float64(t))
	}
}

// due reports whether the guest's stage has ended. A remainder below the clock's resolution counts as ended.
func (d *domain) due() bool { return d.speed() > 0 && d.guest.Left < time.Microsecond }

// until returns when the stage ends at this speed; false if it never does.
func (d *domain) until() (time.Duration, bool) {
	speed := d.speed()
	if speed <= 0 {
		return 0, false
	}
	return max(time.Microsecond, time.Duration(float64(d.guest.Left)/speed)), true
}

// proceed ends the guest's stage. It reports whether the VM has ended with it, and how.
func (d *domain) proceed() (end reconcile.End, ended bool, err error) {
	switch d.guest.Stage {
	case booting:
		if err := d.begin(); err != nil {
			return reconcile.End{ByGuest: true, Cause: err.Error()}, true, err
		}
		if d.faulty("crash") {
			return reconcile.End{Cause: "its VM's process died on the node"}, true, nil
		}
		return end, false, nil
	default:
		d.guest.Stage = over
		if !d.faulty("silent") {
			err = d.guest.exited(d.folder)
		}
		return reconcile.End{ByGuest: true, Cause: "it powered off"}, true, err
	}
}

func (d *domain) begin() error {
	text, err := os.ReadFile(d.folder.Task())
	if err != nil {
		return err
	}
	task, err := protocol.DecodeTask(text)
	if err != nil {
		return err
	}
	d.guest.run(task.Argv(), d.vcpus)
	return d.guest.started(d.folder)
}

func (d *domain) faulty(what string) bool { return slices.Contains(d.guest.Faults, what) }
