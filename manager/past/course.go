package past

import (
	"encoding/json"
	"fmt"
	"math"

	"aliquot/cluster"
)

const (
	courseRows   = 500       // most rows of one run's course
	courseValues = 100_000   // of all runs of a job; beyond it the rows are coarser
	courseMost   = 100_000   // minutes that a course may last
	courseTotal  = 8_000_000 // values of all courses of a job once they are read, more than charts keep of all runs
)

// Course is the use of a run over time, kept after its job has ended.
type Course struct {
	Run     RunKey       `json:"run"`
	Start   cluster.Time `json:"start"` // beginning of a minute
	Step    cluster.Time `json:"step"`  // whole minutes
	Columns [][]Value    `json:"columns"`
}

// Courses returns the courses of all runs of the job.
func (c *Charts) Courses(job cluster.JobID) (list []Course) {
	var runs []cluster.RunID
	for run := range c.Runs.Keys() {
		if run.Job == job {
			runs = append(runs, run)
		}
	}
	rows := max(1, min(courseRows, courseValues/(c.Runs.columns*max(1, len(runs)))))
	for _, run := range runs {
		list = append(list, c.Runs.Get(run).course(run, rows))
	}
	return list
}

// course returns all that is known of a run that has ended.
func (s *Series) course(run cluster.RunID, rows int) Course {
	if s.minute != 0 {
		s.close(s.minute+1, courseMost)
	}
	t := s.Between(cluster.Time(s.first)*cluster.Minute, cluster.Time(int(s.first)+s.Len())*cluster.Minute, rows)
	c := Course{Run: RunKey(run), Start: t.Start, Step: t.Step}
	for _, column := range t.Columns {
		c.Columns = append(c.Columns, valuesOf(column))
	}
	return c
}

// EncodeCourses returns the courses as JSON.
func EncodeCourses(list []Course) []byte {
	text, err := json.Marshal(list)
	if err != nil {
		panic("past: courses cannot be encoded: " + err.Error())
	}
	return text
}

// DecodeCourses reads the courses of the job's runs as series, which [Course] explains. It skips those of other jobs. A
// node may have written the text, so their size is bounded.
func DecodeCourses(text []byte, job cluster.JobID, columns int) (map[cluster.RunID]*Series, error) {
	var list []Course
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("read the use of a job: %w", err)
	}
	all, total := map[cluster.RunID]*Series{}, 0
	for _, c := range list {
		if c.Run.Job != job {
			continue
		}
		if !c.valid(columns) {
			return nil, fmt.Errorf("read the use of %v: its table is damaged", cluster.RunID(c.Run))
		}
		if total += c.minutes() * columns; total > courseTotal {
			return nil, fmt.Errorf("read the use of %v: more than %d values", job, courseTotal)
		}
		all[cluster.RunID(c.Run)] = c.series()
	}
	return all, nil
}

func (c *Course) valid(columns int) bool {
	return len(c.Columns) == columns && c.Start > 0 && c.Step > 0 && c.Step%cluster.Minute == 0 &&
		c.Step <= courseMost*cluster.Minute && c.minutes() <= courseMost
}

// minutes returns how long the course lasts.
func (c *Course) minutes() int { return int(minuteOf(c.Step)) * len(c.Columns[0]) }

func (c *Course) series() *Series {
	columns := len(c.Columns)
	s, row := NewSeries(columns), make([]float64, columns)
	for i := range c.Columns[0] {
		for column, values := range c.Columns {
			if row[column] = math.NaN(); i < len(values) {
				row[column] = float64(values[i])
			}
		}
		for at := c.Start + cluster.Time(i)*c.Step; at < c.Start+cluster.Time(i+1)*c.Step; at += cluster.Minute {
			s.Fill(at, courseMost, row)
		}
	}
	return s
}
