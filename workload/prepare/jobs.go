package prepare

import (
	"errors"
	"io"
	"slices"
	"strconv"

	"aliquot/cluster"
	"aliquot/workload"
	"aliquot/workload/swf"
)

// Reasons why records are repaired or skipped.
const (
	isPart        = "a part of a job that has a line of its own"
	noSubmission  = "the time of submission is unknown"
	noProcessors  = "the number of processors is unknown"
	neverRan      = "canceled before it ran"
	noRunTime     = "the run time is unknown"
	tooMuchMemory = "a task needs more memory than a node has"
	beyondLimits  = "beyond what a stream can say, such as 10000 tasks"
	noTime        = "the run time is 0; taken as 1 s"
	noMemory      = "the memory is unknown; taken as the least that the rules allow"
	outOfOrder    = "submitted before the job on the line above; put in order"
	twice         = "the job's number is unknown or taken; given a new one"
)

// Week is the length of the segments of RR-7659: "We split the HPC2N workload into week-long
// segments, resulting in 182 different experimental scenarios." workload.Split cuts them.
const Week = 7 * 24 * cluster.Hour

// Jobs converts a log into jobs in order of submission, then number. If the log has an error, Jobs
// returns it with the jobs before it.
func Jobs(r *swf.Reader, rules Rules) ([]workload.Job, Tally, error) {
	p := preparation{rules: rules, taken: map[int64]bool{}}
	for {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			return p.finish(), p.Tally, nil
		}
		if err != nil {
			return p.finish(), p.Tally, err
		}
		p.Records++
		p.most = max(p.most, record.Job)
		if skip := p.add(&record); skip != "" {
			p.note(skip, true, record.Job)
		}
	}
}

type preparation struct {
	Tally
	rules Rules
	jobs  []workload.Job
	taken map[int64]bool
	last  cluster.Time // submission of the latest job
	most  int64        // largest number of a record
	spare []int        // indexes of jobs that need a number
}

// add converts a record into a job, or returns why it cannot.
func (p *preparation) add(r *swf.Record) (skip string) {
	if skip := unusable(r); skip != "" {
		return skip
	}
	processors := p.rules.Processors(r)
	if processors < 1 {
		return noProcessors
	}
	memory, known := p.rules.Memory(r)
	tasks := p.rules.Tasks(processors, memory)
	if tasks.Memory > 1 {
		return tooMuchMemory
	}
	j := workload.Job{
		ID: max(0, r.Job), Submit: r.Submit, Tasks: int(tasks.Count), Need: workload.RoundCPU(tasks.Need),
		Memory: workload.RoundMemory(tasks.Memory), Runtime: r.Run, Estimate: max(0, r.RequestedTime),
	}
	if r.User != swf.Unknown {
		j.User = strconv.FormatInt(r.User, 10)
	}
	if j.Runtime == 0 {
		j.Runtime = cluster.Second
	}
	if j.Check() != nil {
		return beyondLimits
	}
	p.repaired(r, known)
	p.jobs = append(p.jobs, j)
	return ""
}

// unusable returns why no rule could convert the record into a job.
func unusable(r *swf.Record) string {
	switch {
	case r.Status == swf.PartContinues || r.Status == swf.PartCompleted || r.Status == swf.PartFailed:
		return isPart
	case r.Submit == swf.Unknown:
		return noSubmission
	case r.Status == swf.Canceled && r.Run <= 0:
		return neverRan
	case r.Run == swf.Unknown:
		return noRunTime
	}
	return ""
}

// repaired counts the repairs that are about to be made to a job.
func (p *preparation) repaired(r *swf.Record, memoryKnown bool) {
	if r.Run == 0 {
		p.note(noTime, false, r.Job)
	}
	if !memoryKnown {
		p.note(noMemory, false, r.Job)
	}
	if r.Submit < p.last {
		p.note(outOfOrder, false, r.Job)
	}
	p.last = r.Submit
	if r.Job == swf.Unknown || p.taken[r.Job] {
		p.note(twice, false, r.Job)
		p.spare = append(p.spare, len(p.jobs))
	}
	p.taken[r.Job] = true
}

func (p *preparation) finish() []workload.Job {
	for i, at := range p.spare {
		p.jobs[at].ID = p.most + int64(i) + 1
	}
	slices.SortFunc(p.jobs, workload.Job.Compare)
	p.Tally.Jobs = len(p.jobs)
	return p.jobs
}
