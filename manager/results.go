package manager

import (
	"cmp"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"aliquot/cluster"
	"aliquot/internal/disk"
)

// A store's folders and small files take up space, too.
const leastResult = 16 << 10 // bytes that a job's files count at least

// ResultLimits say how long the files of ended jobs are kept on the store.
type ResultLimits struct {
	Age   time.Duration // after the last change
	Bytes cluster.Bytes // of all ended jobs together; beyond it, the oldest go first. 0: a tenth of the store
}

// result is the size of an ended job's files and the time of their last change.
type result struct {
	job   cluster.JobID
	bytes cluster.Bytes
	at    time.Time
}

// measured returns the result in the folder. Files that disappear meanwhile do not count.
func measured(job cluster.JobID, folder string) result {
	r := result{job: job}
	_ = filepath.WalkDir(folder, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := e.Info(); err == nil {
			if info.Mode().IsRegular() {
				r.bytes += cluster.Bytes(info.Size())
			}
			r.at = later(r.at, info.ModTime())
		}
		return nil
	})
	r.bytes = max(r.bytes, leastResult)
	return r
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// surplus returns the results that exceed the limits: those that are too old, and the oldest of too many bytes.
func surplus(kept []result, l ResultLimits, now time.Time) []result {
	kept = slices.Clone(kept)
	slices.SortFunc(kept, func(a, b result) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.job, b.job)) })
	var bytes cluster.Bytes
	for _, r := range kept {
		bytes += r.bytes
	}
	for i, r := range kept {
		if now.Sub(r.at) <= l.Age && bytes <= l.Bytes {
			return kept[:i]
		}
		bytes -= r.bytes
	}
	return kept
}

// limitsOn returns the limits for the store at the path.
func (l ResultLimits) limitsOn(path string) (ResultLimits, error) {
	if l.Bytes > 0 {
		return l, nil
	}
	space, err := disk.Measure(path)
	l.Bytes = space.Size() / 10
	return l, err
}
