package jobfile

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"aliquot/web/api"
)

// StandIn is what WfFormat does not tell of a task.
type StandIn struct {
	Image  string // that all tasks boot; "": the built-in one
	Memory string // of a task that names none, like 96Mi
	Sleep  bool   // tasks sleep for the run time that the file tells, instead of running their programs
}

// wf is the part of WfFormat 1.5 that a submission needs.
type wf struct {
	Name     string
	Workflow struct {
		Specification struct {
			Tasks []struct {
				ID                string
				Parents, Children []string
			}
		}
		Execution struct{ Tasks []wfTask }
	}
}

type wfTask struct {
	ID      string
	Command struct {
		Program   string
		Arguments []string
	}
	RuntimeInSeconds float64
	CoreCount        float64
	MemoryInBytes    float64
}

// wfFormat returns the workflow of a file in WfFormat 1.5. Its tasks keep their ids as names. A task without a number
// of cores gets one, and one without memory that of the stand-in.
//
// Reference: https://github.com/wfcommons/WfFormat, schema 1.5.
func wfFormat(top *yaml.Node, stand StandIn) (api.WorkflowSpec, error) {
	var in wf
	if err := decodeWf(top, &in); err != nil {
		return api.WorkflowSpec{}, err
	}
	ran := map[string]*wfTask{}
	for i := range in.Workflow.Execution.Tasks {
		ran[in.Workflow.Execution.Tasks[i].ID] = &in.Workflow.Execution.Tasks[i]
	}
	out := api.WorkflowSpec{Name: wfName(in.Name)}
	at := map[string]int{}
	for i, t := range in.Workflow.Specification.Tasks {
		r := ran[t.ID]
		if r == nil {
			r = &wfTask{}
		}
		job, err := r.job(stand)
		if err != nil {
			return out, fmt.Errorf("task %s: %w", t.ID, err)
		}
		at[t.ID] = i
		out.Tasks = append(out.Tasks, api.WorkflowTask{Name: wfName(t.ID), Job: job})
	}
	for i, t := range in.Workflow.Specification.Tasks {
		for _, parent := range t.Parents {
			if _, known := at[parent]; !known {
				return out, fmt.Errorf("task %s has the parent %s, which is not a task", t.ID, parent)
			}
			out.Tasks[i].After = append(out.Tasks[i].After, wfName(parent))
		}
	}
	if len(out.Tasks) == 0 {
		return out, fmt.Errorf("workflow.specification.tasks is missing: only WfFormat 1.5 is read")
	}
	return out, nil
}

// decodeWf decodes the file by its JSON names.
func decodeWf(top *yaml.Node, into *wf) error {
	var value any
	if err := top.Decode(&value); err != nil {
		return err
	}
	text, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	return err
}

func (t *wfTask) job(stand StandIn) (api.JobSpec, error) {
	cores := math.Ceil(t.CoreCount)
	if cores < 0 || t.MemoryInBytes < 0 || t.RuntimeInSeconds < 0 {
		return api.JobSpec{}, fmt.Errorf("cores, memory and run time cannot be negative")
	}
	job := api.JobSpec{CPU: strconv.Itoa(max(1, int(cores))), Memory: stand.Memory, Image: stand.Image,
		Estimate: fmt.Sprintf("%ds", max(1, int(math.Ceil(t.RuntimeInSeconds))))}
	if t.MemoryInBytes > 0 {
		const least = 96 << 20 // bytes that the built-in image needs
		job.Memory = strconv.FormatInt(int64(max(t.MemoryInBytes, least)), 10)
	}
	switch {
	case stand.Sleep:
		job.Command = []string{"/bin/sleep", strconv.FormatFloat(t.RuntimeInSeconds, 'f', -1, 64)}
	case t.Command.Program == "":
		return job, fmt.Errorf("has no command.program; --sleep lets each task sleep for its run time instead")
	default:
		job.Command, job.Args = []string{t.Command.Program}, t.Command.Arguments
	}
	return job, nil
}

var unfit = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// wfName returns the id as a name that jobs may have.
func wfName(id string) string { return strings.Trim(unfit.ReplaceAllString(id, "-"), "._-") }

// holds reports whether a mapping has the key.
func holds(n *yaml.Node, key string) bool {
	for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return true
		}
	}
	return false
}
