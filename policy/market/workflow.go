package market

import (
	"fmt"
	"slices"
	"strings"
)

// Task runs on a number of processors of one site.
type Task struct {
	Name  string
	Procs int
	Run   Time
}

// Edge says that a task begins after another has ended, and later by the transfer if it is on another site.
type Edge struct {
	From, To int
	Transfer Time
}

// Workflow is a directed graph of tasks without cycles.
type Workflow struct {
	Tasks    []Task
	parents  [][]arc
	children [][]arc
	sorted   []int // every task after its parents
}

// arc is an edge at one of its ends.
type arc struct {
	task     int
	transfer Time
}

// NewWorkflow returns the workflow of the tasks and edges. Edges must name tasks by index. A cycle is an error that
// names its tasks.
func NewWorkflow(tasks []Task, edges []Edge) (*Workflow, error) {
	w := &Workflow{Tasks: tasks, parents: make([][]arc, len(tasks)), children: make([][]arc, len(tasks))}
	for _, e := range edges {
		w.parents[e.To] = append(w.parents[e.To], arc{e.From, e.Transfer})
		w.children[e.From] = append(w.children[e.From], arc{e.To, e.Transfer})
	}
	if w.sort(); len(w.sorted) < len(tasks) {
		return nil, fmt.Errorf("the tasks wait for each other: %s", strings.Join(w.cycle(), " → "))
	}
	return w, nil
}

// sort puts tasks behind their parents. Tasks on cycles, and behind them, are left out.
func (w *Workflow) sort() {
	open := make([]int, len(w.Tasks))
	for i := range w.Tasks {
		if open[i] = len(w.parents[i]); open[i] == 0 {
			w.sorted = append(w.sorted, i)
		}
	}
	for at := 0; at < len(w.sorted); at++ {
		for _, c := range w.children[w.sorted[at]] {
			if open[c.task]--; open[c.task] == 0 {
				w.sorted = append(w.sorted, c.task)
			}
		}
	}
}

// shown is the number of tasks of a cycle that an error names.
const shown = 8

// cycle returns the names of the tasks of one cycle, in order, the first again at the end.
func (w *Workflow) cycle() (names []string) {
	left := make([]bool, len(w.Tasks))
	for i := range left {
		left[i] = true
	}
	for _, i := range w.sorted {
		left[i] = false
	}
	seen := map[int]int{}
	var path []int
	for at := slices.Index(left, true); ; {
		if first, again := seen[at]; again {
			path = path[first:]
			break
		}
		seen[at] = len(path)
		path = append(path, at)
		at = w.parents[at][slices.IndexFunc(w.parents[at], func(a arc) bool { return left[a.task] })].task
	}
	slices.Reverse(path)
	for i, task := range append(path, path[0]) {
		if i == shown && len(path) > shown {
			return append(names, fmt.Sprintf("… %d more", len(path)-shown), w.Tasks[path[0]].Name)
		}
		names = append(names, w.Tasks[task].Name)
	}
	return names
}

// Area returns the processors × time of all tasks: the price of best effort.
func (w *Workflow) Area() (sum Price) {
	for _, t := range w.Tasks {
		sum += Price(t.Procs) * Price(t.Run)
	}
	return sum
}

// ready returns the earliest start of a task on a site, after its parents and transfers.
func (w *Workflow) ready(task, site int, places []Place) (at Time) {
	for _, p := range w.parents[task] {
		from := places[p.task]
		end := from.Start + w.Tasks[p.task].Run
		if from.Site != site {
			end += p.transfer
		}
		at = max(at, end)
	}
	return at
}
