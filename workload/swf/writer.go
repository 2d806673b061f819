package swf

import (
	"bufio"
	"fmt"
	"io"
)

// Writer writes a log record by record.
type Writer struct {
	w    *bufio.Writer
	line []byte
}

// NewWriter writes the header of a log.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	b := bufio.NewWriterSize(w, 64<<10)
	for _, line := range h {
		if _, err := b.WriteString(line + "\n"); err != nil {
			return nil, fmt.Errorf("write the header: %w", err)
		}
	}
	return &Writer{w: b}, nil
}

// Write writes a record into the buffer. Flush writes the buffer out.
func (w *Writer) Write(r Record) error {
	w.line = appendRecord(w.line[:0], r)
	if _, err := w.w.Write(w.line); err != nil {
		return fmt.Errorf("write record %d: %w", r.Job, err)
	}
	return nil
}

// Flush writes the buffered records.
func (w *Writer) Flush() error {
	if err := w.w.Flush(); err != nil {
		return fmt.Errorf("write the log: %w", err)
	}
	return nil
}
