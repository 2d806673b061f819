package past

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"aliquot/cluster"
)

// ErrCursor is returned for a cursor that is not from a page.
var ErrCursor = errors.New("not a cursor of a page of spans")

// cursor is a place in the order of a page: after an open span, or after the ended span of that number; zero: the
// start.
type cursor struct {
	seq     uint64
	lasting bool
	task    cluster.TaskID
}

func (c cursor) begins() bool { return c == cursor{} }

func (c cursor) String() string {
	if c.lasting {
		return fmt.Sprintf("%v/%d", c.task.Job, c.task.Index)
	}
	return strconv.FormatUint(c.seq, 10)
}

func parseCursor(text string) (c cursor, err error) {
	if text == "" {
		return c, nil
	}
	job, index, lasting := strings.Cut(text, "/")
	c.lasting = lasting
	if !lasting {
		if c.seq, err = strconv.ParseUint(text, 10, 64); err != nil {
			return c, ErrCursor
		}
		return c, nil
	}
	c.task.Job, err = cluster.ParseJobID(job)
	i, err2 := strconv.Atoi(index)
	if c.task.Index = i; err != nil || err2 != nil || i < -1 {
		return c, ErrCursor
	}
	return c, nil
}
