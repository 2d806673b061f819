package swf

import (
	"strconv"

	"aliquot/cluster"
)

// Unknown marks a field that the log does not contain. It is written as -1.
const Unknown = -1

// The values of Record.Status.
const (
	Failed        = 0
	Completed     = 1
	PartContinues = 2 // a part of a job that was checkpointed or swapped out
	PartCompleted = 3 // the last part of a job that completed
	PartFailed    = 4 // the last part of a job that failed
	Canceled      = 5
)

// Record is one line of a log: the format's 18 fields in their order. Memory is in KB of 1024 bytes.
// Any field may be Unknown.
type Record struct {
	Job                 int64
	Submit              cluster.Time // since the start of the log
	Wait                cluster.Time
	Run                 cluster.Time // wall-clock
	Processors          int64        // allocated
	CPUTime             cluster.Time // used by each processor on average
	Memory              int64        // used per processor on average
	RequestedProcessors int64
	RequestedTime       cluster.Time // the user's estimate
	RequestedMemory     int64        // per processor
	Status              int64
	User                int64
	Group               int64
	Executable          int64
	Queue               int64
	Partition           int64
	Preceding           int64        // the job that this one waits for
	Think               cluster.Time // from the end of Preceding to the submission
}

// fields is the number of fields of a record.
const fields = 18

// decimals is the precision of a time: cluster.Time counts microseconds.
const decimals = 6

// form gives the name of each field for error messages, and the unit of its numbers.
var form = [fields]struct {
	name string
	kind kind
}{
	{"job number", count}, {"submit time", seconds}, {"wait time", seconds}, {"run time", seconds},
	{"allocated processors", count}, {"average CPU time", seconds}, {"used memory", kilobytes},
	{"requested processors", count}, {"requested time", seconds}, {"requested memory", kilobytes},
	{"status", count}, {"user", count}, {"group", count}, {"executable", count}, {"queue", count},
	{"partition", count}, {"preceding job", count}, {"think time", seconds},
}

// kind is the unit of a field's numbers.
type kind int

const (
	count     kind = iota
	seconds        // up to 10^12, with decimals
	kilobytes      // whole; decimals are rounded
)

func record(v *[fields]int64) Record {
	return Record{
		Job: v[0], Submit: cluster.Time(v[1]), Wait: cluster.Time(v[2]), Run: cluster.Time(v[3]),
		Processors: v[4], CPUTime: cluster.Time(v[5]), Memory: v[6],
		RequestedProcessors: v[7], RequestedTime: cluster.Time(v[8]), RequestedMemory: v[9],
		Status: v[10], User: v[11], Group: v[12], Executable: v[13], Queue: v[14], Partition: v[15],
		Preceding: v[16], Think: cluster.Time(v[17]),
	}
}

func (r *Record) values() [fields]int64 {
	return [fields]int64{
		r.Job, int64(r.Submit), int64(r.Wait), int64(r.Run), r.Processors, int64(r.CPUTime), r.Memory,
		r.RequestedProcessors, int64(r.RequestedTime), r.RequestedMemory,
		r.Status, r.User, r.Group, r.Executable, r.Queue, r.Partition, r.Preceding, int64(r.Think),
	}
}

// appendRecord writes a record as a line.
func appendRecord(b []byte, r Record) []byte {
	for i, v := range r.values() {
		if i > 0 {
			b = append(b, ' ')
		}
		if form[i].kind == seconds && v >= 0 {
			b = appendSeconds(b, v)
		} else {
			b = strconv.AppendInt(b, max(v, Unknown), 10)
		}
	}
	return append(b, '\n')
}

// appendSeconds writes microseconds as seconds, without trailing zeros.
func appendSeconds(b []byte, v int64) []byte {
	const unit = int64(cluster.Second)
	b = strconv.AppendInt(b, v/unit, 10)
	if v%unit == 0 {
		return b
	}
	b = append(b, '.')
	for rest, step := v%unit, unit/10; rest > 0; rest, step = rest%step, step/10 {
		b = append(b, byte('0'+rest/step))
	}
	return b
}
