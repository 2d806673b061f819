package swf

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"aliquot/workload"
)

// Reader reads a log record by record, in the order of its lines.
type Reader struct {
	Header   Header
	Negative int // values below -1, which are read as Unknown

	r    *bufio.Reader
	line int
	next []byte // the first line that is not a comment
}

// maxLine is the longest line in bytes.
const maxLine = 64 << 10

// NewReader reads the header of a log, plain or gzip.
func NewReader(r io.Reader) (*Reader, error) {
	plain, err := workload.Gunzip(r)
	if err != nil {
		return nil, err
	}
	reader := &Reader{r: bufio.NewReaderSize(plain, maxLine)}
	for {
		line, err := reader.read()
		if errors.Is(err, io.EOF) {
			return reader, nil
		}
		if err != nil {
			return nil, err
		}
		if len(line) > 0 && line[0] != ';' {
			reader.next = line
			return reader, nil
		}
		if len(line) > 0 {
			reader.Header = append(reader.Header, string(line))
		}
	}
}

// Next returns the next record, or io.EOF after the last. Any other error names the line, the field
// and the expected value. Empty lines and comments between records are skipped.
func (r *Reader) Next() (Record, error) {
	line, err := r.next, error(nil)
	r.next = nil
	for err == nil && (len(line) == 0 || line[0] == ';') {
		line, err = r.read()
	}
	if err != nil {
		return Record{}, err
	}
	var values [fields]int64
	if err := r.parse(line, &values); err != nil {
		return Record{}, fmt.Errorf("line %d: %w", r.line, err)
	}
	return record(&values), nil
}

// read returns the next line without surrounding white space. The line is valid until the next read.
func (r *Reader) read() ([]byte, error) {
	line, err := r.r.ReadSlice('\n')
	if len(line) == 0 && errors.Is(err, io.EOF) {
		return nil, io.EOF
	}
	r.line++
	if errors.Is(err, bufio.ErrBufferFull) {
		return nil, fmt.Errorf("line %d: more than %d bytes", r.line, maxLine)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read the log after line %d: %w", r.line-1, err)
	}
	return bytes.TrimSpace(line), nil
}

func (r *Reader) parse(line []byte, values *[fields]int64) error {
	at := 0
	for i := range form {
		for at < len(line) && blank(line[at]) {
			at++
		}
		if at == len(line) {
			return fmt.Errorf("%d fields; a record has %d", i, fields)
		}
		n := number{text: line, at: at}
		v, ok := n.read(form[i].kind)
		if !ok {
			word, _, _ := bytes.Cut(line[at:], []byte{' '})
			return fmt.Errorf("field %d (%s): %.40q is not %s", i+1, form[i].name, word, form[i].kind)
		}
		if v < Unknown {
			r.Negative++
			v = Unknown
		}
		values[i], at = v, n.at
	}
	if rest := bytes.Fields(line[at:]); len(rest) > 0 {
		return fmt.Errorf("%d fields; a record has %d", fields+len(rest), fields)
	}
	return nil
}

func blank(c byte) bool { return c == ' ' || c == '\t' }
