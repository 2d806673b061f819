package protocol

import (
	"encoding/binary"
	"io"
)

// A ResultWriter writes the results of a task to the result port, each frame in a single Write. Its methods fail only
// when the port does.
type ResultWriter struct {
	to      io.Writer
	left    int64 // bytes of contents
	paths   paths
	files   int
	omitted uint32
}

// NewResultWriter returns a writer of results whose contents take at most limit bytes.
func NewResultWriter(to io.Writer, limit int64) *ResultWriter {
	return &ResultWriter{to: to, left: limit, paths: paths{}}
}

// File writes a file of that size, or omits it. If the content is shorter, zeros take the place of the rest.
func (w *ResultWriter) File(path string, size int64, content io.Reader) error {
	switch {
	case w.files == MaxResults:
		return w.Omit(path, TooMany)
	case size < 0 || size > w.left:
		return w.Omit(path, TooLarge)
	case !w.paths.add(path):
		return w.Omit(path, BadPath)
	}
	w.files++
	w.left -= size
	header := binary.LittleEndian.AppendUint64(nil, uint64(size))
	if err := w.frame(kindFile, append(header, path...)); err != nil {
		return err
	}
	content = io.MultiReader(content, zeros{})
	part := make([]byte, min(size, maxPart))
	for ; size > 0; size -= int64(len(part)) {
		part = part[:min(size, maxPart)]
		if _, err := io.ReadFull(content, part); err != nil { // a content that fails ends there
			content = zeros{}
			clear(part)
		}
		if err := w.frame(kindPart, part); err != nil {
			return err
		}
	}
	return nil
}

// zeros is an endless content.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// Omit tells that a file is not among the results. Beyond MaxOmissions it is only counted.
func (w *ResultWriter) Omit(path string, why Omission) error {
	w.omitted++
	if w.omitted > MaxOmissions {
		return nil
	}
	return w.frame(kindOmitted, append([]byte{byte(why)}, path[:min(len(path), MaxResultPath)]...))
}

// Done tells that these are all results.
func (w *ResultWriter) Done() error {
	return w.frame(kindDone, binary.LittleEndian.AppendUint32(nil, w.omitted))
}

func (w *ResultWriter) frame(k kind, payload []byte) error {
	_, err := w.to.Write(appendFrame(nil, k, payload))
	return err
}

// MaxResultStream returns the most bytes that a guest writes to the result port when the contents take at most limit.
func MaxResultStream(limit int64) int64 {
	const frame = headerSize + crcSize
	return limit + limit/maxPart*frame + MaxResults*(2*frame+8+MaxResultPath) + (MaxOmissions+1)*(frame+1+MaxResultPath)
}
