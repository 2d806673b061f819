package site

import (
	"fmt"
	"io/fs"

	"aliquot/policy/hetero"
)

// entry is a line of the times.
type entry struct {
	hetero.Pair
	ticks hetero.Ticks
}

// readTimes reads the times of all types. Those of a machine or a cluster win over those of its class.
func (s *Site) readTimes(from fs.FS) error {
	var entries []entry
	var types []string
	lines, known := map[hetero.Pair]int{}, map[string]int{}
	names, err := s.names()
	if err != nil {
		return err
	}
	err = readFile(from, timesFile, timesColumns, func(t *text) error {
		e, err := readEntry(t)
		if err != nil {
			return err
		}
		if _, exists := names[hetero.Pair{Parallel: e.Parallel, Resource: e.Resource}]; !exists {
			return fmt.Errorf("resource: the site has no %s %.60q", e.noun(), e.Resource)
		}
		if first, twice := lines[e.Pair]; twice {
			return fmt.Errorf("%s %s %s is also on line %d", e.Type, e.Kind(), e.Resource, first)
		}
		lines[e.Pair] = t.line
		if _, seen := known[e.Type]; !seen {
			known[e.Type] = len(types)
			types = append(types, e.Type)
		}
		if n := len(types) * (len(s.Machines) + len(s.Clusters)); n > mostTimes || len(types) > mostTypes {
			return fmt.Errorf("%d types on %d machines and clusters are too many: at most %d types and %d times", len(types),
				len(s.Machines)+len(s.Clusters), mostTypes, mostTimes)
		}
		entries = append(entries, e)
		return nil
	})
	if err != nil {
		return err
	}
	s.Times = s.table(types, known, names, entries)
	return nil
}

var timesColumns = []string{"type", "kind", "resource", "ticks"}

// readEntry reads a line.
func readEntry(t *text) (e entry, err error) {
	if e.Pair, err = readPair(t); err != nil {
		return e, err
	}
	e.ticks, err = t.ticks(3, "ticks", 1, hetero.Longest)
	return e, err
}

// readPair reads the first three columns.
func readPair(t *text) (p hetero.Pair, err error) {
	if p.Type, err = t.word(0, "type"); err != nil {
		return p, err
	}
	switch kind := t.field(1); kind {
	case hetero.SequentialKind:
	case hetero.ParallelKind:
		p.Parallel = true
	default:
		return p, fmt.Errorf("kind: %.60q is neither seq nor par", kind)
	}
	p.Resource, err = t.word(2, "resource")
	return p, err
}

// noun names the resources of a kind.
func (e entry) noun() string {
	if e.Parallel {
		return "cluster or class of clusters"
	}
	return "machine or class of machines"
}

// resources are the indexes of the machines or clusters that a name stands for.
type resources struct {
	indexes []int
	class   bool
}

// names returns the resources that the names of machines and their classes, and of clusters and theirs, stand for. A
// name must not stand for a machine and a class of others.
func (s *Site) names() (map[hetero.Pair]resources, error) {
	names := map[hetero.Pair]resources{}
	add := func(parallel bool, name string, index int, class bool) {
		p := hetero.Pair{Parallel: parallel, Resource: name}
		r := names[p]
		names[p] = resources{append(r.indexes, index), class}
	}
	for i, m := range s.Machines {
		add(false, m.Class, i, true)
	}
	for i, c := range s.Clusters {
		add(true, c.Class, i, true)
	}
	own := func(parallel bool, file, name string, line, index int) error {
		r, exists := names[hetero.Pair{Parallel: parallel, Resource: name}]
		if exists && (len(r.indexes) > 1 || r.indexes[0] != index) {
			return fmt.Errorf("%s: line %d: %s is also the name of a class with other members", file, line, name)
		}
		if !exists {
			add(parallel, name, index, false)
		}
		return nil
	}
	for i, m := range s.Machines {
		if err := own(false, machinesFile, m.Name, s.lines.machines[m.Name], i); err != nil {
			return nil, err
		}
	}
	for i, c := range s.Clusters {
		if err := own(true, clustersFile, c.Name, s.lines.clusters[c.Name], i); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// table returns the times by type and resource.
func (s *Site) table(types []string, known map[string]int, names map[hetero.Pair]resources,
	entries []entry) *hetero.Table {
	t := hetero.NewTable(&s.Site, types)
	for _, class := range []bool{true, false} {
		for _, e := range entries {
			r := names[hetero.Pair{Parallel: e.Parallel, Resource: e.Resource}]
			if r.class != class {
				continue
			}
			for _, i := range r.indexes {
				switch {
				case e.Parallel && s.Open(i):
					t.Parallel[known[e.Type]][i] = e.ticks
				case !e.Parallel && !s.Machines[i].Down:
					t.Sequential[known[e.Type]][i] = e.ticks
				}
			}
		}
	}
	return t
}
