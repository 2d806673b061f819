package api

import "time"

// WorkflowSpec is a user's specification of a workflow: tasks that are jobs, and wait for each other.
type WorkflowSpec struct {
	Name  string         `json:"name,omitempty" maxLength:"128" pattern:"^[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?$" patternDescription:"of letters, digits and ._-, with a letter or digit at both ends" doc:"For people; need not be unique" example:"survey"`
	Tasks []WorkflowTask `json:"tasks" minItems:"1" maxItems:"500" doc:"In any order; each becomes a job of its name"`
}

// WorkflowTask is a task of a workflow.
type WorkflowTask struct {
	Name  string   `json:"name" minLength:"1" maxLength:"128" pattern:"^[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?$" patternDescription:"of letters, digits and ._-, with a letter or digit at both ends" doc:"Unique in the workflow" example:"plot"`
	Job   JobSpec  `json:"job" doc:"What it runs; its name and its after are left out"`
	After []string `json:"after,omitempty" maxItems:"500" doc:"Tasks that must have ended before, and how: NAME or NAME:succeeded, NAME:failed (it failed or was cancelled), NAME:ended. If one ends otherwise, this task is cancelled" example:"[\"fetch\",\"clean:ended\"]"`
}

// WorkflowAccepted is the answer to a submitted or resumed workflow.
type WorkflowAccepted struct {
	Accepted
	Workflow string            `json:"workflow" example:"w6"`
	Jobs     map[string]string `json:"jobs" doc:"The new job of each task by its name" example:"{\"plot\":\"j7\"}"`
}

// Workflow is a workflow in its present or final state.
type Workflow struct {
	ID        string         `json:"id" doc:"Has the number of its first job" example:"w6"`
	Name      string         `json:"name,omitempty"`
	Owner     string         `json:"owner"`
	Project   string         `json:"project"`
	State     string         `json:"state" enum:"waiting,running,succeeded,failed,cancelled" doc:"waiting: tasks wait, and none runs. failed: all have ended, and one failed that a resumption would repeat. cancelled: all have ended, none of these failed, and one was cancelled"`
	Submitted time.Time      `json:"submitted"`
	Ended     *time.Time     `json:"ended,omitempty"`
	States    map[string]int `json:"states" doc:"Number of tasks by the state of their jobs"`
	Tasks     []WorkflowStep `json:"tasks,omitempty" doc:"Left out in lists"`
}

// WorkflowStep is a task of a workflow in its present or final state.
type WorkflowStep struct {
	Name    string     `json:"name"`
	Job     string     `json:"job" doc:"Its latest job" example:"j7"`
	State   string     `json:"state" enum:"waiting,dependent,starting,running,pausing,paused,moving,held,stopping,succeeded,failed,cancelled,skipped" doc:"That of its job; skipped: its job was cancelled because a task did not end as it needs, and that task is not repeated"`
	After   []string   `json:"after" doc:"Tasks that it waits for, in the form of the specification; jobs outside the workflow by their ids"`
	Why     string     `json:"why,omitempty" doc:"Reason for its state, or why it has ended"`
	Started *time.Time `json:"started,omitempty"`
	Ended   *time.Time `json:"ended,omitempty"`
}

// WorkflowList holds workflows, newest first.
type WorkflowList struct {
	Workflows []Workflow `json:"workflows"`
	Total     int        `json:"total" doc:"Number of workflows, also of those that are left out"`
}

// WorkflowCancelled is the answer to the cancellation of a workflow.
type WorkflowCancelled struct {
	Jobs []string `json:"jobs" doc:"The jobs that were cancelled, and had not ended"`
}
