package instance

// Goals returns the families for which the speed of a search is stated, from small to large: all tasks
// different, or five and more alike per job; uniform and discrete; memory from 40 to 110 % and needs
// from 100 to 600 % of the nodes'. A hundred single tasks on 128 nodes need less than that.
func Goals() []Family {
	return []Family{
		{Nodes: 128, Tasks: 100, PerJob: 1, Memory: 0.4, Need: 0.6},
		{Nodes: 128, Tasks: 500, PerJob: 5, Memory: 0.7, Need: 2},
		{Nodes: 128, Tasks: 1600, PerJob: 16, Memory: 0.9, Need: 6},
		{Nodes: 128, Tasks: 1280, PerJob: 1, Memory: 0.7, Need: 2},
		{Nodes: 1000, Tasks: 10_000, PerJob: 1, Memory: 0.4, Need: 1},
		{Nodes: 1000, Tasks: 10_000, PerJob: 1, Memory: 0.7, Need: 2},
		{Nodes: 1000, Tasks: 10_000, PerJob: 1, Memory: 0.9, Need: 6},
		{Nodes: 1000, Tasks: 10_000, PerJob: 1, Memory: 1.1, Need: 2},
		{Nodes: 1000, Tasks: 10_000, PerJob: 5, Memory: 0.7, Need: 2},
		{Nodes: 1000, PerJob: 1, Memory: 0.7, Discrete: true},
		{Nodes: 1000, PerJob: 5, Memory: 0.7, Discrete: true},
		{Nodes: 10_000, Tasks: 100_000, PerJob: 1, Memory: 0.4, Need: 1},
		{Nodes: 10_000, Tasks: 100_000, PerJob: 1, Memory: 0.7, Need: 2},
		{Nodes: 10_000, Tasks: 100_000, PerJob: 1, Memory: 0.9, Need: 6},
		{Nodes: 10_000, Tasks: 100_000, PerJob: 5, Memory: 0.7, Need: 2},
		{Nodes: 10_000, PerJob: 1, Memory: 0.9, Discrete: true},
		{Nodes: 100_000, Tasks: 1_000_000, PerJob: 1, Memory: 0.4, Need: 1},
		{Nodes: 100_000, Tasks: 1_000_000, PerJob: 1, Memory: 0.7, Need: 2},
		{Nodes: 100_000, Tasks: 1_000_000, PerJob: 1, Memory: 0.9, Need: 6},
		{Nodes: 100_000, Tasks: 1_000_000, PerJob: 5, Memory: 0.7, Need: 2},
		{Nodes: 100_000, PerJob: 1, Memory: 0.9, Discrete: true},
	}
}

// Busy resembles the largest instants of a simulation of the report.
var Busy = Family{Nodes: 120, Tasks: 250, PerJob: 5, Memory: 0.4, Need: 1.75}
