package monitor

import (
	"time"

	"aliquot/cluster"
)

// Usage is one sample of what a run uses; it goes to the leader's memory and nowhere else.
type Usage struct {
	Run             cluster.RunID
	At              time.Time
	Interval        time.Duration // that the sample covers
	CPU             cluster.CPU   // mean over the interval, of the whole VM
	Throttled       time.Duration // of the interval, by the VM's own cap, summed over vCPUs
	ParentThrottled time.Duration // of the interval, by limits above the VM: the machine was short of CPU
	Memory          cluster.Bytes // resident on the node
	Progress        Progress
}

// Progress is how far a save or migration under way has come; zero: none is.
type Progress struct {
	Done, Total cluster.Bytes
}
