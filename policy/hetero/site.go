package hetero

// Ticks is a time or a duration in milliseconds.
type Ticks int64

// Never is the duration of a job where it may not run.
const Never Ticks = 1 << 60

// MostTime is the greatest sum of the ends of jobs, and of the times that machines are taken, that a caller may let
// arise. Sums of plans are of 64 bits; the rest is for jobs that are planned more than once.
const MostTime Ticks = 1 << 60

// Site are the machines and clusters to schedule. Their order breaks ties.
type Site struct {
	Machines []Machine
	Clusters []Cluster
}

// Machine runs one job at a time.
type Machine struct {
	Name, Class string
	Down        bool // takes no job
}

// Cluster is a group of machines that can run one job in parallel.
type Cluster struct {
	Name, Class string
	Members     []int // indexes of its machines, in order
	Least       int   // number of members that must be up
}

// Open reports whether enough members are up for a parallel job.
func (s *Site) Open(c int) bool { return len(s.Up(c)) >= max(1, s.Clusters[c].Least) }

// Up returns the members of a cluster that are up. A parallel job takes all of them.
func (s *Site) Up(c int) (up []int) {
	for _, m := range s.Clusters[c].Members {
		if !s.Machines[m].Down {
			up = append(up, m)
		}
	}
	return up
}

// Table has the predicted times of all types of jobs on a site. Never stands where a type is not allowed, on machines
// that are down, and on clusters that are not open.
type Table struct {
	Types      []string  // names
	Sequential [][]Ticks // by type, then machine
	Parallel   [][]Ticks // by type, then cluster
	Groups     [][]int   // by cluster: the machines that a parallel job takes
	Up         int       // number of machines that are up
}

// NewTable returns a table without any time.
func NewTable(s *Site, types []string) *Table {
	t := &Table{Types: types}
	for range types {
		t.Sequential = append(t.Sequential, nowhere(len(s.Machines)))
		t.Parallel = append(t.Parallel, nowhere(len(s.Clusters)))
	}
	for _, m := range s.Machines {
		if !m.Down {
			t.Up++
		}
	}
	for c := range s.Clusters {
		t.Groups = append(t.Groups, s.Up(c))
	}
	return t
}

func nowhere(n int) []Ticks {
	row := make([]Ticks, n)
	for i := range row {
		row[i] = Never
	}
	return row
}

// Shortest returns the shortest time of a type on one machine, or also on a cluster; Never if it may run nowhere.
func (t *Table) Shortest(kind int, parallel bool) Ticks {
	least := Never
	for _, d := range t.Sequential[kind] {
		least = min(least, d)
	}
	if parallel {
		for _, d := range t.Parallel[kind] {
			least = min(least, d)
		}
	}
	return least
}

// Longest returns the longest time of a type where it may run; 0 if it may run nowhere.
func (t *Table) Longest(kind int) (most Ticks) {
	for _, row := range [][]Ticks{t.Sequential[kind], t.Parallel[kind]} {
		for _, d := range row {
			if d < Never {
				most = max(most, d)
			}
		}
	}
	return most
}
