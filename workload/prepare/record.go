package prepare

import (
	"math"
	"strconv"

	"aliquot/workload"
	"aliquot/workload/swf"
)

// Record converts a job into a record of a log, the inverse of the rules: a task gets as many
// processors of a node as its need requires, at least one. Users that are not numbers become unknown,
// and so does memory if the node's is 0. See Losses.
func Record(j workload.Job, node Node) swf.Record {
	perTask := max(1, round(float64(j.Need)/float64(workload.UnitCPU)*float64(node.Processors)))
	r := swf.Record{
		Job: j.ID, Submit: j.Submit, Wait: swf.Unknown, Run: j.Runtime,
		Processors: int64(j.Tasks) * perTask, CPUTime: swf.Unknown, Memory: swf.Unknown,
		RequestedProcessors: int64(j.Tasks) * perTask, RequestedTime: swf.Unknown, RequestedMemory: swf.Unknown,
		Status: swf.Completed, User: swf.Unknown, Group: swf.Unknown, Executable: swf.Unknown,
		Queue: swf.Unknown, Partition: swf.Unknown, Preceding: swf.Unknown, Think: swf.Unknown,
	}
	if node.Memory > 0 {
		r.RequestedMemory = round(float64(j.Memory) / float64(workload.UnitMemory) * float64(node.Memory>>10) / float64(
			perTask))
	}
	if j.Estimate > 0 {
		r.RequestedTime = j.Estimate
	}
	if user, err := strconv.ParseUint(j.User, 10, 31); err == nil {
		r.User = int64(user)
	}
	return r
}

// Losses lists the properties of the jobs that records cannot hold: reading the records back by the
// same rules gives other jobs.
func Losses(jobs []workload.Job, rules Rules) []Note {
	var t Tally
	for _, j := range jobs {
		r := Record(j, rules.Node)
		memory, known := rules.Memory(&r)
		back := rules.Tasks(rules.Processors(&r), memory)
		for _, loss := range []struct {
			is   bool
			what string
		}{
			{back.Count != int64(j.Tasks), "its number of tasks, since processors are all that is counted"},
			{back.Count == int64(j.Tasks) && workload.RoundCPU(back.Need) != j.Need,
				"its need of CPU, which is not that of whole processors"},
			{!known, "its memory, since that of a node is not known"},
			{known && workload.RoundMemory(back.Memory) != j.Memory, "its exact memory"},
			{j.User != "" && strconv.FormatInt(r.User, 10) != j.User, "its user, which is not a number"},
			{j.Priority != 0, "its priority"},
			{j.FailOnLoss, "that it fails on loss"},
			{j.Class != 0, "its class"},
			{j.Ready != 0, "the time from which it is ready"},
			{j.Deadline != 0, "its deadline"},
			{j.Rate+j.Efficiency+j.Loss != 0, "how it progresses on a node with two tiers"},
		} {
			if loss.is {
				t.note(loss.what, true, j.ID)
			}
		}
	}
	return t.Notes
}

func round(x float64) int64 { return int64(math.Round(x)) }
