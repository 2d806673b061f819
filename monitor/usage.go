package monitor

import "aliquot/wire"

// Usage is one sample of a run's resource usage, as sent to the leader.
type Usage = wire.Usage

// Progress is the progress of a save or migration; zero if none is in progress.
type Progress = wire.Progress
