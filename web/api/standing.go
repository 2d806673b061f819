package api

import "time"

// StandingSpec describes a reservation that is made again every week.
type StandingSpec struct {
	Days     []string `json:"days" minItems:"1" maxItems:"7" enum:"mon,tue,wed,thu,fri,sat,sun" doc:"On which each occurrence begins"`
	Start    string   `json:"start" maxLength:"5" doc:"When the clocks of the zone show this, an occurrence begins: its VMs run" example:"09:00"`
	Duration string   `json:"duration" minLength:"2" maxLength:"32" doc:"How long each has its full CPU" example:"8h"`
	Zone     string   `json:"zone,omitempty" maxLength:"64" default:"UTC" doc:"Name of a time zone. Its clocks are as known when this is made, summer time included" example:"Europe/Paris"`
	Until    string   `json:"until,omitempty" format:"date" maxLength:"10" doc:"The last day on which one may begin, within two years; left out: two years from now" example:"2027-06-30"`
	Job      JobSpec  `json:"job" doc:"What each occurrence submits, without reserve, deadline and after"`
}

// Standing is a reservation that is made again every week.
type Standing struct {
	Standing      string      `json:"standing" example:"s3"`
	Name          string      `json:"name" doc:"Of its jobs"`
	Owner         string      `json:"owner"`
	Project       string      `json:"project"`
	Tasks         int         `json:"tasks"`
	CPUMillicores int64       `json:"cpuMillicores" doc:"Promised to each task"`
	MemoryBytes   int64       `json:"memoryBytes" doc:"Promised to each task, with the overhead of its VM"`
	Days          []string    `json:"days" enum:"mon,tue,wed,thu,fri,sat,sun"`
	Start         string      `json:"start" doc:"By the clocks of the zone" example:"09:00"`
	Duration      string      `json:"duration" example:"8h"`
	Zone          string      `json:"zone" example:"Europe/Paris"`
	Until         time.Time   `json:"until" doc:"None begins later"`
	Jobs          []string    `json:"jobs" doc:"Those of its occurrences that are promised something now"`
	Next          *time.Time  `json:"next,omitempty" doc:"Start of the first occurrence that is not submitted yet, which is seldom the one that begins next (nextStart): it is submitted two weeks before it begins; left out: there is none"`
	NextStart     *time.Time  `json:"nextStart,omitempty" doc:"When the next occurrence begins of those that are promised or not submitted yet; left out: there is none"`
	Missing       []time.Time `json:"missing" doc:"Starts of the occurrences that have found no room so far. They are tried again until they begin"`
}

// StandingList lists standing reservations, by id.
type StandingList struct {
	Standing []Standing `json:"standing"`
}
