package stream

import (
	"errors"
	"fmt"
	"io"

	"aliquot/workload/prepare"
	"aliquot/workload/swf"
)

// WriteLog writes the stream as a log for nodes of one size. writer is the name of the writing program.
func (s *Stream) WriteLog(w io.Writer, writer string, node prepare.Node) error {
	var h swf.Header
	h.Add("Version", "2.2")
	h.Add("Conversion", writer+" from "+Stem(s.Path))
	h.Add("MaxJobs", len(s.Jobs))
	h.Add("MaxRecords", len(s.Jobs))
	h.Add("Note", fmt.Sprintf("nodes of %d processors and %v of memory", node.Processors, node.Memory))
	log, err := swf.NewWriter(w, h)
	for i := 0; i < len(s.Jobs) && err == nil; i++ {
		err = log.Write(prepare.Record(s.Jobs[i], node))
	}
	if err != nil {
		return err
	}
	return log.Flush()
}

// Unreadable is an error of reading, where reading and writing happen together.
type Unreadable struct{ error }

// Unwrap returns the cause.
func (u Unreadable) Unwrap() error { return u.error }

// CopyLog copies a log record by record, its header included. The error is an [Unreadable] if a record cannot be
// read.
func (t *Text) CopyLog(w io.Writer) error {
	r, err := swf.NewReader(t)
	if err != nil {
		return Unreadable{blame(t.Path, err)}
	}
	log, err := swf.NewWriter(w, r.Header)
	if err != nil {
		return err
	}
	for {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			return log.Flush()
		}
		if err != nil {
			return Unreadable{blame(t.Path, err)}
		}
		if err := log.Write(record); err != nil {
			return err
		}
	}
}
