package labtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"aliquot/client"
	"aliquot/cluster"
	"aliquot/sim"
	"aliquot/web/api"
	"aliquot/workload"
)

// A play is the jobs of the cast in a lab, under one policy. It records what becomes of them.
type play struct {
	*lab
	ctx   context.Context
	jobs  []workload.Job // that have arrived
	ids   []cluster.JobID
	seats map[int64]seating // of those that have nodes
	begun cluster.Time      // of the first arrival
	steps []step
	ends  []workload.Event
	told  map[string]int // number of jobs with an event of the kind, in the cluster's history
	moved int            // number of jobs with an event of a resumption, a migration or both
}

// A seating is where a job is.
type seating struct {
	tier  cluster.Tier
	nodes []cluster.NodeID
	run   int
	lines []int // that its tasks had written by the last step
}

// script counts slowly, so that the machine has time for many guests.
const script = "i=0; while :; do i=$((i+1000)); echo $i; sleep 0.5; done"

// perform plays the whole play. The policy ignores what guests were measured to use, as the simulator does not know it.
func (p *play) perform(policy string) error {
	if _, err := p.api.SetPolicy(p.ctx, api.Policy{Name: policy + "/use=declared", Period: "24h"}); err != nil {
		return err
	}
	if _, err := p.settle(); err != nil {
		return err
	}
	all := cast()
	for gone := 0; ; gone++ {
		if count := acts[gone]; count > 0 {
			if err := p.arrive(all[len(p.jobs):][:count]); err != nil {
				return err
			}
		}
		if gone == departures {
			return errors.Join(p.remember(), p.clear())
		}
		if err := p.depart(p.victim(gone)); err != nil {
			return err
		}
	}
}

// displace fills the nodes under attained, and lets a fourth job come and go.
func (p *play) displace() error {
	if _, err := p.api.SetPolicy(p.ctx, api.Policy{Name: "attained/pay=1000", Period: "24h"}); err != nil {
		return err
	}
	var jobs []workload.Job
	for i := range int64(4) {
		jobs = append(jobs, workload.Job{ID: i + 1, Tasks: 1, Need: 500, Estimate: hour})
	}
	return errors.Join(p.arrive(jobs[:3]), p.arrive(jobs[3:]), p.depart(4), p.clear())
}

// arrive submits jobs one after the other. Each is decided on before the next one comes, as in the simulator: two that
// arrive in one decision may end up elsewhere.
func (p *play) arrive(jobs []workload.Job) error {
	for _, j := range jobs {
		spec := shell(script, j.Need.String())
		spec.Tasks, spec.Estimate = j.Tasks, fmt.Sprint(int64(j.Estimate/hour), "h")
		accepted, err := p.api.Submit(p.ctx, spec, "")
		if err != nil {
			return err
		}
		id, err := cluster.ParseJobID(accepted.Job)
		if err != nil {
			return err
		}
		p.ids = append(p.ids, id)
		if err := retry(ended, func() error { _, err := p.decided(); return err }); err != nil {
			return err
		}
	}
	s, err := p.settle()
	if err != nil {
		return err
	}
	for i, j := range jobs {
		at := s.Job(p.ids[len(p.jobs)]).Submitted
		if len(p.jobs) == 0 {
			p.begun = at
		}
		if j.Submit = at - p.begun; i == 0 {
			p.steps = append(p.steps, step{Occasion: fmt.Sprintf("%d jobs arrive", len(jobs)), At: j.Submit})
		}
		p.jobs = append(p.jobs, j)
	}
	return p.record(s)
}

// victim returns the job that ends next: the first in the foreground of one node after the other, or of any.
func (p *play) victim(gone int) (first int64) {
	for _, j := range p.jobs {
		s, there := p.seats[j.ID]
		if !there || s.tier != cluster.Foreground {
			continue
		}
		if slices.Contains(s.nodes, cluster.NodeID(gone%len(processors)+1)) {
			return j.ID
		}
		if first == 0 {
			first = j.ID
		}
	}
	return first
}

// depart ends a job.
func (p *play) depart(job int64) error {
	id := p.ids[job-1]
	if _, err := p.api.Cancel(p.ctx, id.String(), "its part is over"); err != nil {
		return err
	}
	s, err := p.settle()
	if err != nil {
		return err
	}
	events, err := p.api.History(p.ctx, client.EventFilter{Job: id.String(), Kinds: []string{"job_ended"}}, 1)
	if err != nil {
		return err
	}
	if len(events) != 1 {
		return fmt.Errorf("%v has ended %d times", id, len(events))
	}
	at := cluster.Time(events[0].At.UnixMicro()) - p.begun
	delete(p.seats, job)
	p.ends = append(p.ends, workload.Event{At: at, Kind: workload.JobCancels, Job: job})
	p.steps = append(p.steps, step{Occasion: fmt.Sprintf("j%d ends", job), At: at})
	return p.record(s)
}

// settle returns the state once nothing is to be decided or done.
func (p *play) settle() (s *cluster.State, err error) {
	return s, retry(ended, func() (err error) {
		if s, err = p.decided(); err != nil {
			return err
		}
		for j := range s.Jobs() {
			if j.Ending != nil {
				return fmt.Errorf("%v has not ended yet", j.ID)
			}
			for i, t := range j.Tasks {
				id := cluster.TaskID{Job: j.ID, Index: i}
				if s.Move(id) != nil || t.Phase == cluster.Booting || t.InTier != t.Tier {
					return fmt.Errorf("%v is %v in the %v", id, t.Phase, t.InTier)
				}
			}
		}
		for j := range s.Unsettled() {
			return fmt.Errorf("%v is not where it should be", j.ID)
		}
		return nil
	})
}

// decided returns the state if nothing in it waits for a decision.
func (p *play) decided() (*cluster.State, error) {
	text, err := p.get(p.ctx, p.rest, "/v1/debug/view")
	if err != nil {
		return nil, err
	}
	s, err := cluster.Decode(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	if o := s.View(s.Now).Pending(); !o.Empty() {
		return nil, fmt.Errorf("%+v waits for a decision", o)
	}
	return s, nil
}

// record compares where the jobs are with where they were.
func (p *play) record(s *cluster.State) error {
	now, here := map[int64]seating{}, &p.steps[len(p.steps)-1]
	for i, id := range p.ids {
		j := s.Job(id)
		if j == nil || !j.Tasks[0].Present() {
			continue
		}
		number := int64(i + 1)
		before, had := p.seats[number]
		at := seating{tier: j.Tasks[0].Tier, run: j.Tasks[0].Run}
		for _, t := range j.Tasks {
			at.nodes = append(at.nodes, t.Node)
			if t.Losses > 0 || t.Run != at.run {
				return fmt.Errorf("%v was lost: %+v", id, t)
			}
		}
		e := sim.Event{Job: cluster.JobID(number), Nodes: at.nodes, Left: before.nodes, Tier: at.tier, Share: j.Tasks[0].Cap}
		switch e.Kind = sim.Moves; {
		case !had:
			e.Kind = sim.Starts
		case before.run != at.run:
			e.Kind = sim.Restarts
		case !slices.Equal(before.nodes, at.nodes):
		case before.tier != at.tier:
			e.Kind = sim.Swaps
		default:
			now[number] = before
			continue
		}
		here.Deeds = append(here.Deeds, e.String())
		if e.Kind == sim.Restarts {
			before.lines = nil
		}
		if err := p.goesOn(id, before.lines, &at); err != nil {
			return err
		}
		now[number] = at
	}
	for number := range p.seats {
		if _, still := now[number]; !still {
			here.Deeds = append(here.Deeds, fmt.Sprintf("j%d pauses", number))
		}
	}
	p.seats = now
	slices.Sort(here.Deeds)
	return nil
}

// goesOn returns when the guests of a job have counted on from the lines that they had written.
func (p *play) goesOn(id cluster.JobID, before []int, at *seating) error {
	at.lines = make([]int, len(at.nodes))
	for i := range at.nodes {
		err := retry(ended, func() (err error) {
			at.lines[i], err = p.written(id, i, at.run)
			if err == nil && (at.lines[i] == 0 || before != nil && at.lines[i] <= before[i]) {
				err = fmt.Errorf("%v/%d stands at line %d", id, i, at.lines[i])
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// written returns how many numbers the run of a task has printed, if none is missing.
func (p *play) written(id cluster.JobID, task, run int) (int, error) {
	stream, err := p.api.Logs(p.ctx, id.String(), client.LogQuery{Task: task, Run: run})
	if err != nil {
		return 0, err
	}
	defer stream.Close()
	text, err := io.ReadAll(stream)
	if err != nil {
		return 0, err
	}
	lines := strings.Fields(string(text[:bytes.LastIndexByte(text, '\n')+1]))
	for i, found := range lines {
		if want := strconv.Itoa((i + 1) * stride); found != want {
			return 0, fmt.Errorf("%v/%d: line %d is %q, want %s", id, task, i+1, found, want)
		}
	}
	return len(lines), nil
}

// clear ends all jobs.
func (p *play) clear() error {
	s, err := p.settle()
	if err != nil {
		return err
	}
	for j := range s.Jobs() {
		if _, err := p.api.Cancel(p.ctx, j.ID.String(), "the play is over"); err != nil {
			return err
		}
	}
	_, err = p.settle()
	return err
}

// remember reads the history of the jobs.
func (p *play) remember() error {
	p.told, p.moved = map[string]int{}, 0
	for _, id := range p.ids {
		events, err := p.api.History(p.ctx, client.EventFilter{Job: id.String()}, 1000)
		if err != nil {
			return err
		}
		kinds := map[string]bool{}
		for _, e := range events {
			kinds[e.Kind] = true
		}
		for kind := range kinds {
			p.told[kind]++
		}
		if kinds["task_resumed"] || kinds["task_migrated"] {
			p.moved++
		}
	}
	return nil
}

// playPatience bounds all plays. Passing tests never reach it.
const playPatience = 20 * time.Minute
