package monitor

import "aliquot/wire"

// Usage is one sample of a run's resource usage, as sent to the leader.
type Usage = wire.Usage

// Host is a sample of the whole machine, as sent to the leader.
type Host = wire.Host

// sampling is what the node has sampled at one time.
type sampling struct {
	runs []Usage
	host Host
}

// Progress is the progress of a save or migration; zero if none is in progress.
type Progress = wire.Progress
