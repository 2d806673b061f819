package api

import "time"

// Similar tells how long jobs like one took.
type Similar struct {
	Runs          int     `json:"runs" doc:"Number of the latest that are remembered, of those that succeeded; at most 20"`
	MedianSeconds float64 `json:"medianSeconds" doc:"Half of them took no longer, as virtual time: at full speed"`
	MostSeconds   float64 `json:"mostSeconds" doc:"Nine in ten of them took no longer"`
}

// ExperienceList is what is remembered of jobs that succeeded.
type ExperienceList struct {
	Experience []Experience `json:"experience" doc:"By project, owner, type, tasks and CPU"`
}

// Experience is what is remembered of the jobs of one owner, type and size.
type Experience struct {
	Project        string    `json:"project"`
	Owner          string    `json:"owner"`
	Type           string    `json:"type" doc:"As given by the jobs, or their image and command" example:"busybox /bin/sh -c make"`
	Tasks          int       `json:"tasks"`
	NeedMillicores int64     `json:"needMillicores" doc:"Need of each task"`
	Succeeded      int       `json:"succeeded" doc:"Number of jobs that ever succeeded"`
	Last           time.Time `json:"last" doc:"End of the latest"`
	Similar        Similar   `json:"similar"`
}
