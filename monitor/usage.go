package monitor

import "aliquot/wire"

// Usage is one sample of what a run uses, as it is sent to the leader.
type Usage = wire.Usage

// Progress is how far a save or migration under way has come; zero: none is.
type Progress = wire.Progress
