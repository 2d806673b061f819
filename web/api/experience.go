package api

import "time"

// Similar tells how long jobs like one took.
type Similar struct {
	Succeeded     int     `json:"succeeded" doc:"Number of jobs that ever succeeded without a second start of a task; below three they count for nothing"`
	Latest        int     `json:"latest" doc:"How many of them are remembered, the latest; at most 20"`
	MedianSeconds float64 `json:"medianSeconds" doc:"Half of the latest took no longer, as virtual time: at full speed"`
	MostSeconds   float64 `json:"mostSeconds" doc:"Nine in ten of the latest took no longer"`
}

// ExperienceList is what is remembered of jobs that succeeded.
type ExperienceList struct {
	Experience []Experience `json:"experience" doc:"By project, owner, type, tasks and CPU"`
}

// Experience is what is remembered of the jobs of one owner, type and size.
type Experience struct {
	Project        string    `json:"project"`
	Owner          string    `json:"owner"`
	Type           string    `json:"type" doc:"As given by the jobs, or the name of their image and their command, which stay here for up to 90 days after the latest success" example:"busybox: /bin/sh -c make"`
	Tasks          int       `json:"tasks"`
	NeedMillicores int64     `json:"needMillicores" doc:"Need of each task"`
	Last           time.Time `json:"last" doc:"End of the latest"`
	Similar        Similar   `json:"similar"`
}
