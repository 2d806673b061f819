package cluster

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// JobID numbers jobs in the order of submission, from 1; it prints as j17.
type JobID uint64

func (id JobID) String() string { return "j" + strconv.FormatUint(uint64(id), 10) }

// ParseJobID parses the output of JobID.String.
func ParseJobID(s string) (JobID, error) {
	n, err := strconv.ParseUint(strings.TrimPrefix(s, "j"), 10, 64)
	if err != nil || n == 0 || !strings.HasPrefix(s, "j") {
		return 0, fmt.Errorf("%q is not a job id, expected one like j17", s)
	}
	return JobID(n), nil
}

// NodeID numbers nodes in the order in which they joined, from 1; zero is no node.
type NodeID uint32

// CoreID numbers the processors of a node that VMs can be bound to, from 1; zero is none.
type CoreID uint32

// MoveID numbers moves in the order in which they started, from 1; zero is no move.
type MoveID uint64

// TaskID names one task of a job; Index counts from 0.
type TaskID struct {
	Job   JobID
	Index int
}

func (t TaskID) String() string { return fmt.Sprintf("%v/%d", t.Job, t.Index) }

// Compare orders tasks by job, then index.
func (t TaskID) Compare(o TaskID) int {
	return cmp.Or(cmp.Compare(t.Job, o.Job), cmp.Compare(t.Index, o.Index))
}

// RunID names one start of a task; Number counts from 1. It prints as j17/0/1.
type RunID struct {
	Job    JobID
	Index  int
	Number int
}

func (r RunID) String() string { return fmt.Sprintf("%v/%d/%d", r.Job, r.Index, r.Number) }

// Task returns the task that the run is a start of.
func (r RunID) Task() TaskID { return TaskID{r.Job, r.Index} }

// Compare orders runs by task, then number.
func (r RunID) Compare(o RunID) int {
	return cmp.Or(r.Task().Compare(o.Task()), cmp.Compare(r.Number, o.Number))
}

// ParseRunID parses the output of RunID.String.
func ParseRunID(s string) (RunID, error) {
	part := strings.Split(s, "/")
	if len(part) == 3 {
		job, e1 := ParseJobID(part[0])
		index, e2 := strconv.Atoi(part[1])
		number, e3 := strconv.Atoi(part[2])
		if e1 == nil && e2 == nil && e3 == nil && index >= 0 && number > 0 {
			return RunID{job, index, number}, nil
		}
	}
	return RunID{}, fmt.Errorf("%q is not a run id, expected one like j17/0/1", s)
}
