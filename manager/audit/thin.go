package audit

import (
	"maps"
	"math"
	"os"
	"slices"

	"aliquot/web"
)

// thin removes entries of the senders that take more than their fair part of the log, the oldest first, until an eighth
// of the log is free. It records the number of removed entries.
func (l *Log) thin() {
	open := l.last()
	t := thinning{log: l, owed: surplus(l.bySender(), l.limits.Bytes-l.limits.Bytes/8-open.size)}
	for _, s := range l.segments[:len(l.segments)-1] {
		t.pass(s)
	}
	t.write()
	l.segments = append(t.kept, open)
	if t.err != nil {
		l.log.Error().Err(t.err).Msg("cannot remove entries of the audit log; it uses more disk space than configured")
	}
	if t.removed > 0 {
		l.write(&web.AuditEntry{At: l.time(), Actor: system, Operation: "remove-audit-entries", Count: t.removed})
	}
}

// bySender sums the bytes of the closed segments.
func (l *Log) bySender() map[string]int64 {
	sum := map[string]int64{}
	for _, s := range l.segments[:len(l.segments)-1] {
		for sender, n := range s.bytes {
			sum[sender] += n
		}
	}
	return sum
}

// surplus returns the bytes that each sender has beyond the highest limit per sender at which all fit into the room.
func surplus(bytes map[string]int64, room int64) map[string]int64 {
	limit, sizes := int64(math.MaxInt64), slices.Sorted(maps.Values(bytes))
	for i, n := range sizes {
		if part := max(0, room) / int64(len(sizes)-i); n > part {
			limit = part
			break
		}
		room -= n
	}
	owed := map[string]int64{}
	for sender, n := range bytes {
		if n > limit {
			owed[sender] = n - limit
		}
	}
	return owed
}

// thinning is one walk over the closed segments. Segments that lose entries are joined with their neighbours, so that
// the number of files stays small. A new file replaces whole old ones, and holds the entries of all files that a
// crash may leave behind it.
type thinning struct {
	log     *Log
	owed    map[string]int64 // bytes that each sender has to give up
	removed int              // entries
	kept    []*segment
	old     []*segment // segments whose remaining entries are in text
	text    []byte
	err     error
}

// pass takes the next segment.
func (t *thinning) pass(s *segment) {
	if t.err != nil || len(t.owed) == 0 || !t.concerns(s) && s.size >= t.log.limits.Segment/2 {
		t.write()
		t.kept = append(t.kept, s)
		return
	}
	text, err := os.ReadFile(s.path)
	if err != nil {
		t.err = err
		t.pass(s)
		return
	}
	rest := t.without(text)
	if int64(len(t.text)+len(rest)) > t.log.limits.Segment {
		t.write()
	}
	t.text, t.old = append(t.text, rest...), append(t.old, s)
}

func (t *thinning) concerns(s *segment) bool {
	for sender := range t.owed {
		if s.bytes[sender] > 0 {
			return true
		}
	}
	return false
}

// without returns the text without entries of senders that have to give up bytes.
func (t *thinning) without(text []byte) (rest []byte) {
	for line, e := range entries(text) {
		who := sender(e)
		if t.owed[who] == 0 {
			rest = append(rest, line...)
			continue
		}
		t.removed++
		if t.owed[who] -= int64(len(line)); t.owed[who] <= 0 {
			delete(t.owed, who)
		}
	}
	return rest
}

// write replaces the old segments by one with the text, or by none.
func (t *thinning) write() {
	if len(t.old) == 0 {
		return
	}
	gone := t.old
	if len(t.text) > 0 {
		s := newSegment(t.log.dir, t.old[0].first)
		s.read(t.text)
		if t.err = writeFile(s.path, t.text); t.err != nil {
			t.kept = append(t.kept, t.old...)
			gone = nil
		} else {
			t.kept = append(t.kept, s)
			gone = t.old[1:]
		}
	}
	for _, s := range gone {
		if err := os.Remove(s.path); err != nil {
			t.log.log.Error().Err(err).Msg("cannot remove a file of the audit log; it is removed at the next start")
		}
	}
	t.old, t.text = nil, nil
}
