package protocol

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Results is what a stream of results holds.
type Results struct {
	Files    []ResultFile // in the order of their arrival
	Omitted  []Omitted
	LeftOut  int  // how many were omitted, told or not; known when all is there
	Complete bool // the guest has sent all
	Damaged  bool // something that no guest of ours sends follows the files
}

// ErrDamaged is the error for the content of a file that is not what a guest of ours sends.
var ErrDamaged = errors.New("the stream of results is damaged")

// ReadResults lists the first size bytes of a stream. It passes over the contents of files and reads only the frames
// between them. A file that is not there as a whole is missing from the list. Errors are those of the reader.
func ReadResults(from io.ReaderAt, size int64) (Results, error) {
	l := lister{from: io.NewSectionReader(from, 0, size), size: size, paths: paths{}}
	for !l.Complete && !l.Damaged {
		k, payload, err := l.next()
		if errors.Is(err, errShort) {
			break
		}
		if errors.Is(err, ErrDamaged) || err == nil && !l.take(k, payload) {
			l.Damaged = true
			break
		}
		if err != nil {
			return Results{}, err
		}
	}
	return l.Results, nil
}

// errShort is the error for a stream that ends within a frame.
var errShort = errors.New("the stream ends within a frame")

type lister struct {
	Results
	from  *io.SectionReader
	size  int64
	at    int64
	paths paths
}

// next reads the frame at l.at, which is none of a file's parts.
func (l *lister) next() (kind, []byte, error) {
	const longest = headerSize + 8 + MaxResultPath + crcSize
	frame := make([]byte, longest)
	n, err := l.from.ReadAt(frame, l.at)
	if err != nil && err != io.EOF {
		return 0, nil, err
	}
	k, payload, err := frameIn(frame[:n], 8+MaxResultPath)
	if err == nil {
		l.at += int64(headerSize + len(payload) + crcSize)
	}
	return k, payload, err
}

// frameIn returns the frame at the beginning of b. Its payload is no longer than most.
func frameIn(b []byte, most int) (kind, []byte, error) {
	if n := min(len(b), len(magic)); !bytes.Equal(b[:n], magic[:n]) {
		return 0, nil, ErrDamaged
	}
	if len(b) < headerSize {
		return 0, nil, errShort
	}
	length := binary.LittleEndian.Uint32(b[5:])
	if length > uint32(most) {
		return 0, nil, ErrDamaged
	}
	end := headerSize + int(length)
	if len(b) < end+crcSize {
		return 0, nil, errShort
	}
	if binary.LittleEndian.Uint32(b[end:]) != crc(b[4:end]) {
		return 0, nil, ErrDamaged
	}
	return kind(b[4]), b[headerSize:end], nil
}

// take takes in a frame, and reports whether a guest of ours sends such a one.
func (l *lister) take(k kind, payload []byte) bool {
	switch {
	case k == kindFile && len(payload) >= 8:
		return l.file(binary.LittleEndian.Uint64(payload), string(payload[8:]))
	case k == kindOmitted && len(payload) > 0 && len(l.Omitted) < MaxOmissions:
		l.Omitted = append(l.Omitted, Omitted{readable(payload[1:]), Omission(payload[0])})
		return true
	case k == kindDone && len(payload) == 4:
		l.Complete, l.LeftOut = true, int(binary.LittleEndian.Uint32(payload))
		return l.LeftOut >= len(l.Omitted)
	}
	return false
}

func (l *lister) file(size uint64, path string) bool {
	if size > MaxResultBytes || len(l.Files) == MaxResults || !l.paths.add(path) {
		return false
	}
	f := ResultFile{path, int64(size), l.at}
	if l.at += f.span(); l.at <= l.size {
		l.Files = append(l.Files, f)
	}
	return true
}

// span returns how many bytes of the stream the file's parts take.
func (f ResultFile) span() int64 {
	return f.Size + (f.Size+maxPart-1)/maxPart*(headerSize+crcSize)
}

// readable replaces what people cannot read in the path.
func readable(path []byte) string {
	return strings.Map(func(r rune) rune {
		if unprintable(r) {
			return utf8.RuneError
		}
		return r
	}, string(path))
}

// Open returns the content of the file in the stream. Reading fails with ErrDamaged where a part is not whole.
func (f ResultFile) Open(from io.ReaderAt) io.Reader {
	return &partReader{from: from, at: f.at, left: f.Size}
}

type partReader struct {
	from io.ReaderAt
	at   int64
	left int64  // bytes of the file that were not read from the stream
	part []byte // not yet delivered
	err  error
}

func (r *partReader) Read(b []byte) (int, error) {
	if len(r.part) == 0 && r.err == nil {
		r.part, r.err = r.next()
	}
	if len(r.part) == 0 {
		return 0, r.err
	}
	n := copy(b, r.part)
	r.part = r.part[n:]
	return n, nil
}

func (r *partReader) next() ([]byte, error) {
	if r.left == 0 {
		return nil, io.EOF
	}
	want := int(min(r.left, maxPart))
	frame := make([]byte, headerSize+want+crcSize)
	if n, err := r.from.ReadAt(frame, r.at); n < len(frame) {
		if err == io.EOF {
			err = ErrDamaged
		}
		return nil, fmt.Errorf("read a result: %w", err)
	}
	k, part, err := frameIn(frame, want)
	if err != nil || k != kindPart || len(part) != want {
		return nil, fmt.Errorf("read a result: %w", ErrDamaged)
	}
	r.at += int64(len(frame))
	r.left -= int64(want)
	return part, nil
}
