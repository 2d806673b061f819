package output

import (
	"sort"
	"sync"

	"aliquot/cluster"
	"aliquot/web"
)

const (
	markEvery = 1 << 20 // bytes of a log's file between two marks
	maxMarks  = 100_000 // of all logs together
)

// log names a text: a run's output, or one of its streams.
type log struct {
	run    cluster.RunID
	stream string
}

func logOf(q web.LogQuery) log { return log{q.Run, q.Stream} }

// mark says that a log's file has this many bytes before a frame, and the frames before it this many bytes of text.
type mark struct{ file, text int64 }

// marks remembers the marks that readers came by, so that the next reader can begin at one of them. Files only grow, so
// a mark stays true.
type marks struct {
	mu    sync.Mutex
	of    map[log][]mark // ascending
	count int
}

// before returns the last mark of the log that is not behind the offset of its text; without any, the beginning.
func (s *marks) before(l log, offset int64) mark {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.of[l]
	if i := sort.Search(len(all), func(i int) bool { return all[i].text > offset }); i > 0 {
		return all[i-1]
	}
	return mark{}
}

// add keeps the mark if it is far enough from the log's last one.
func (s *marks) add(l log, m mark) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := mark{}
	if all := s.of[l]; len(all) > 0 {
		last = all[len(all)-1]
	}
	if m.file < last.file+markEvery {
		return
	}
	if s.of == nil || s.count >= maxMarks {
		s.of, s.count = map[log][]mark{}, 0
	}
	s.of[l] = append(s.of[l], m)
	s.count++
}
