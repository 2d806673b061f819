package manager

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"aliquot/cluster"
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
