package audit

import (
	"maps"
	"os"
	"slices"
	"time"

	"aliquot/web"
)

// origin tells a request and its time, to find the entry of its repetitions.
type origin struct {
	key
	at int64 // microseconds
}

func originOf(e *web.AuditEntry, at time.Time) origin {
	return origin{key{sender(e), e.From, e.Operation, e.Object, e.Code, e.Status}, at.UnixMicro()}
}

// chapter is the entries of one segment.
type chapter struct {
	list     []*web.AuditEntry
	requests map[origin]bool            // those that have an entry of their own here
	repeated map[origin]*web.AuditEntry // entries of repetitions
}

// orphans reports whether repetitions have no request in the chapter.
func (c chapter) orphans() bool {
	for o := range c.repeated {
		if !c.requests[o] {
			return true
		}
	}
	return false
}

// book is the chapters that were read and may be needed again, by path. A chapter stays as it was read although its
// segment may have grown or lost entries since.
type book map[string]chapter

// at returns the chapter of a path.
func (b *book) at(path string) (chapter, error) {
	if c, is := (*b)[path]; is {
		return c, nil
	}
	c, err := readChapter(path)
	if err != nil {
		*b = nil // segments were replaced; the others may have been, too
		return c, err
	}
	if *b == nil {
		*b = book{}
	}
	(*b)[path] = c
	return c, nil
}

// close forgets all chapters but those of the paths.
func (b book) close(but ...string) {
	maps.DeleteFunc(b, func(path string, _ chapter) bool { return !slices.Contains(but, path) })
}

// readChapter reads a segment's file; "" has no entries.
func readChapter(path string) (chapter, error) {
	c := chapter{requests: map[origin]bool{}, repeated: map[origin]*web.AuditEntry{}}
	if path == "" {
		return c, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return c, err
	}
	for _, e := range entries(text) {
		c.list = append(c.list, e)
		if e.Since.IsZero() {
			c.requests[originOf(e, e.At)] = true
		} else {
			c.repeated[originOf(e, e.Since)] = e
		}
	}
	return c, nil
}

// shown returns a chapter's entries as they are listed, oldest first: a request and its repetitions are one entry, at
// the place of the request. Repetitions are written within minutes, so they are looked for in the chapter and in the
// one after it. Those whose request is in neither the chapter nor the one before it keep a place of their own.
func shown(before, c, after chapter) (list []web.AuditEntry) {
	for _, e := range c.list {
		if !e.Since.IsZero() {
			if o := originOf(e, e.Since); c.requests[o] || before.requests[o] {
				continue
			}
			list = append(list, *e)
			continue
		}
		o, first := originOf(e, e.At), *e
		more := c.repeated[o]
		if more == nil {
			more = after.repeated[o]
		}
		if more != nil {
			first.Since, first.At, first.Count = e.At, more.At, 1+more.Count
		}
		list = append(list, first)
	}
	return list
}
