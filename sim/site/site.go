package site

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

	"aliquot/policy/hetero"
)

// Limits of a site, far above any real one.
const (
	mostMachines = 10_000
	mostClusters = 10_000
	mostTypes    = 10_000
	mostTimes    = 20_000_000 // types times machines and clusters
)

// Site are machines and clusters with the true times of jobs on them.
type Site struct {
	hetero.Site
	Times *hetero.Table // true times

	lines struct{ clusters, machines map[string]int } // of their files, by name
}

// The names of a site's files.
const (
	machinesFile = "machines.csv"
	clustersFile = "clusters.csv"
	timesFile    = "exec.csv"
)

// Read reads the files of a site. clusters.csv may be missing.
func Read(from fs.FS) (*Site, error) {
	s := &Site{}
	s.lines.clusters, s.lines.machines = map[string]int{}, map[string]int{}
	if err := s.readClusters(from); err != nil {
		return nil, err
	}
	if err := s.readMachines(from); err != nil {
		return nil, err
	}
	if err := s.checkClusters(); err != nil {
		return nil, err
	}
	return s, s.readTimes(from)
}

func (s *Site) readClusters(from fs.FS) error {
	err := readFile(from, clustersFile, []string{"cluster", "cclass", "min_members"}, func(t *text) error {
		name, err := t.word(0, "cluster")
		if err != nil {
			return err
		}
		class, err := t.word(1, "cclass")
		if err != nil {
			return err
		}
		if first, twice := s.lines.clusters[name]; twice {
			return fmt.Errorf("cluster %s is also on line %d", name, first)
		}
		if len(s.Clusters) == mostClusters {
			return fmt.Errorf("a site has at most %d clusters", mostClusters)
		}
		c := hetero.Cluster{Name: name, Class: class}
		if least := t.field(2); least != "" {
			if c.Least, err = strconv.Atoi(least); err != nil || c.Least < 1 || c.Least > mostMachines {
				return fmt.Errorf("min_members: %.60q is not a number of machines from 1 to %d", least, mostMachines)
			}
		}
		s.lines.clusters[name] = t.line
		s.Clusters = append(s.Clusters, c)
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (s *Site) readMachines(from fs.FS) error {
	lines := s.lines.machines
	err := readFile(from, machinesFile, []string{"machine", "mclass", "cluster", "up"}, func(t *text) error {
		name, err := t.word(0, "machine")
		if err != nil {
			return err
		}
		class, err := t.word(1, "mclass")
		if err != nil {
			return err
		}
		if first, twice := lines[name]; twice {
			return fmt.Errorf("machine %s is also on line %d", name, first)
		}
		if _, group := s.lines.clusters[name]; group {
			return fmt.Errorf("machine %s is a cluster too: no cluster can be a member of one", name)
		}
		if len(s.Machines) == mostMachines {
			return fmt.Errorf("a site has at most %d machines", mostMachines)
		}
		lines[name] = t.line
		if err := s.join(t.field(2)); err != nil {
			return err
		}
		up, err := strconv.ParseBool(t.field(3))
		if err != nil {
			return fmt.Errorf("up: %.60q is neither 1 nor 0", t.field(3))
		}
		s.Machines = append(s.Machines, hetero.Machine{Name: name, Class: class, Down: !up})
		return nil
	})
	if err == nil && len(s.Machines) == 0 {
		return fmt.Errorf("%s: a site needs a machine", machinesFile)
	}
	return err
}

// join makes the next machine a member of a cluster, unless the name is empty.
func (s *Site) join(name string) error {
	if name == "" {
		return nil
	}
	if _, known := s.lines.clusters[name]; !known {
		return fmt.Errorf("cluster: %s has no cluster %.60q", clustersFile, name)
	}
	at := slices.IndexFunc(s.Clusters, func(c hetero.Cluster) bool { return c.Name == name })
	s.Clusters[at].Members = append(s.Clusters[at].Members, len(s.Machines))
	return nil
}

// checkClusters refuses clusters that could never run a job. A cluster without min_members needs all of its members.
func (s *Site) checkClusters() error {
	for i := range s.Clusters {
		c := &s.Clusters[i]
		if len(c.Members) == 0 {
			return fmt.Errorf("%s: line %d: cluster %s is empty: no machine is a member of it", clustersFile, s.lines.clusters[c.Name],
				c.Name)
		}
		if c.Least > len(c.Members) {
			return fmt.Errorf("%s: line %d: min_members: cluster %s needs %d members up, but has %d", clustersFile,
				s.lines.clusters[c.Name], c.Name, c.Least, len(c.Members))
		}
		if c.Least == 0 {
			c.Least = len(c.Members)
		}
	}
	return nil
}
