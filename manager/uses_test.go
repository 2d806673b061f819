package manager

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aliquot/cluster"
	"aliquot/guest/folder"
	"aliquot/manager/past"
	"aliquot/web"
)

// ended are the jobs from 1 to n.
func ended(n cluster.JobID) map[cluster.JobID]bool {
	jobs := map[cluster.JobID]bool{}
	for job := cluster.JobID(1); job <= n; job++ {
		jobs[job] = true
	}
	return jobs
}

func TestWhileTheStoreIsSilentUsesWait(t *testing.T) {
	var u uses
	var tried []cluster.JobID
	silentFrom := func(first cluster.JobID) func(cluster.JobID) error {
		return func(job cluster.JobID) error {
			if tried = append(tried, job); job >= first {
				return fmt.Errorf("write: %w", web.ErrStoreSilent)
			}
			return nil
		}
	}
	if err := u.keepAll(ended(9), silentFrom(3)); !errors.Is(err, web.ErrStoreSilent) || len(tried) != 3 {
		t.Errorf("tried %v: %v", tried, err)
	}
	if err := u.keepAll(ended(9), silentFrom(10)); err != nil || len(tried) != 3+7 || tried[3] != 3 {
		t.Errorf("once the store answers, tried %v: %v", tried, err)
	}
}

func TestFewOfManyFailuresAreTold(t *testing.T) {
	var u uses
	tried := 0
	err := u.keepAll(ended(1000), func(cluster.JobID) error { tried++; return errors.New("it is full") })
	if tried != 1000 || strings.Count(err.Error(), "full") != 3 {
		t.Errorf("tried %d: %v", tried, err)
	}
}

func TestAReadThatHangsDelaysNeitherOtherJobsNorWhoGaveUp(t *testing.T) {
	w := newWorld(t)
	use := past.EncodeCourses([]past.Course{{Run: past.RunKey{Job: 2, Number: 1}, Start: cluster.Minute,
		Step: cluster.Minute, Columns: [][]past.Value{{250}, {1}}}})
	w.ok(os.MkdirAll(filepath.Dir(folder.Use(w.cfg.StorePath, 2)), 0o755))
	w.ok(os.WriteFile(folder.Use(w.cfg.StorePath, 2), use, 0o600))
	answers := make(chan struct{})
	read := w.past.uses.reads.DoChan("j1", func() (any, error) { <-answers; return jobUse{}, nil })
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if s := w.keptUse(gone, cluster.RunID{Job: 1, Number: 1}); s != nil {
		t.Errorf("a use that was not read: %v", s)
	}
	if s := w.keptUse(t.Context(), cluster.RunID{Job: 2, Number: 1}); s == nil {
		t.Error("the use of another job is not read")
	}
	close(answers)
	<-read
}

func TestTheUsesOfAFewJobsStayInMemory(t *testing.T) {
	var u uses
	for job := range cluster.JobID(6) {
		u.add(jobUse{job: job, at: time.Duration(job)})
	}
	for job := range cluster.JobID(6) {
		if _, found := u.find(job, 6); found != (job >= 2) {
			t.Errorf("%v: in memory: %v", job, found)
		}
	}
	if _, found := u.find(5, 5+useLife+1); found {
		t.Error("a use that was read long ago is not read again")
	}
}
