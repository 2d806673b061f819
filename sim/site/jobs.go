package site

import (
	"fmt"
	"io"

	"aliquot/policy/hetero"
)

const (
	mostJobs   = 1_000_000
	lastSubmit = hetero.Ticks(10_000_000_000_000) // three centuries
)

// Job is a job of a stream for a site.
type Job struct {
	ID     string
	Submit hetero.Ticks
	Type   int // index of its type in the site's times
	Level  hetero.Level
}

// ReadJobs reads a stream for the site, plain or gzip. The name of the file is for errors. Jobs stay in the order of
// their lines.
func (s *Site) ReadJobs(in io.Reader, name string) (jobs []Job, err error) {
	types, lines := map[string]int{}, map[string]int{}
	for i, t := range s.Times.Types {
		types[t] = i
	}
	err = read(in, name, func(t *text) error {
		if len(jobs) == mostJobs {
			return fmt.Errorf("a stream has at most %d jobs", mostJobs)
		}
		j, err := readJob(t, types)
		if err != nil {
			return err
		}
		if first, twice := lines[j.ID]; twice {
			return fmt.Errorf("id %s is also on line %d", j.ID, first)
		}
		lines[j.ID] = t.line
		jobs = append(jobs, j)
		return nil
	}, []string{"id", "submit", "type", "priority"})
	return jobs, err
}

func readJob(t *text, types map[string]int) (j Job, err error) {
	if j.ID, err = t.word(0, "id"); err != nil {
		return j, err
	}
	if j.Submit, err = t.ticks(1, "submit", 0, lastSubmit); err != nil {
		return j, err
	}
	known := false
	if j.Type, known = types[t.field(2)]; !known {
		return j, fmt.Errorf("type: %s has no times of %.60q", timesFile, t.field(2))
	}
	if j.Level, known = hetero.ParseLevel(t.field(3)); !known {
		return j, fmt.Errorf("priority: %.60q is none of H, M, L", t.field(3))
	}
	return j, nil
}
