package api

import "time"

// SpeedList is what is known of how fast classes of nodes do each kind of work.
type SpeedList struct {
	Speeds  []LearntSpeed `json:"speeds" doc:"By project, owner, type, tasks, CPU and class of nodes"`
	Classes []NodeClass   `json:"classes" doc:"By name. Nodes without a class teach nothing"`
}

// NodeClass is a class of nodes on which work is equally fast.
type NodeClass struct {
	Class string `json:"class" example:"AMD EPYC 9354 32-Core Processor"`
	Nodes int    `json:"nodes" doc:"Number of its nodes; 0: they have gone, and what was learnt is still kept"`
}

// LearntSpeed tells how long jobs of one owner, type and size took on one class of nodes.
type LearntSpeed struct {
	Project        string    `json:"project"`
	Owner          string    `json:"owner"`
	Type           string    `json:"type" doc:"As given by the jobs, or the name of their image and their command" example:"busybox: /bin/sh -c make"`
	Tasks          int       `json:"tasks"`
	NeedMillicores int64     `json:"needMillicores" doc:"Need of each task"`
	Class          string    `json:"class" doc:"Of the nodes that they ran on"`
	Factor         float64   `json:"factor,omitempty" doc:"Speed of the class for this work beyond what the nodes' speeds tell, where the fastest class has 1; left out: fewer than two classes have three runs"`
	Error          float64   `json:"error,omitempty" doc:"Standard error of the factor, as a part of it; left out: it is the fastest, or there is no factor"`
	Last           time.Time `json:"last" doc:"End of the latest"`
	Similar        Similar   `json:"similar" doc:"Of the jobs that ran on this class alone"`
}
