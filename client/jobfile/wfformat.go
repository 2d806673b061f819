package jobfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"

	"aliquot/web/api"
	"aliquot/workload/wf"
)

// StandIn is what WfFormat does not tell of a task.
type StandIn struct {
	Image  string // that all tasks boot; "": the built-in one
	Memory string // of a task that names none, like 96Mi
	Sleep  bool   // tasks sleep for the run time that the file tells, instead of running their programs
}

// wfFormat returns the workflow of a file in WfFormat. A task without a number of cores gets one, and one without
// memory that of the stand-in.
func wfFormat(text []byte, stand StandIn) (api.WorkflowSpec, error) {
	in, err := wf.Read(bytes.NewReader(text))
	if err != nil {
		return api.WorkflowSpec{}, err
	}
	out := api.WorkflowSpec{Name: in.Name}
	for i := range in.Tasks {
		job, err := jobOf(&in.Tasks[i], stand)
		if err != nil {
			return out, fmt.Errorf("task %s: %w", in.Tasks[i].Name, err)
		}
		out.Tasks = append(out.Tasks, api.WorkflowTask{Name: in.Tasks[i].Name, Job: job, After: in.Tasks[i].Parents})
	}
	return out, nil
}

func jobOf(t *wf.Task, stand StandIn) (api.JobSpec, error) {
	seconds := t.Runtime.Seconds()
	job := api.JobSpec{CPU: strconv.Itoa(cmp.Or(t.Cores, 1)), Memory: stand.Memory, Image: stand.Image,
		Estimate: fmt.Sprintf("%ds", max(1, int(math.Ceil(seconds))))}
	if t.Memory > 0 {
		const least = 96 << 20 // bytes that the built-in image needs
		job.Memory = strconv.FormatInt(max(t.Memory, least), 10)
	}
	switch {
	case stand.Sleep:
		job.Command = []string{"/bin/sleep", strconv.FormatFloat(seconds, 'f', -1, 64)}
	case t.Command == nil:
		return job, errors.New("has no command.program; --sleep lets each task sleep for its run time instead")
	default:
		job.Command, job.Args = t.Command[:1], t.Command[1:]
	}
	return job, nil
}
