package output

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"aliquot/cluster"
	"aliquot/guest/folder"
	"aliquot/guest/protocol"
	"aliquot/web"
)

// results are the files that a run has left, in the stream that its guest wrote.
type results struct {
	ctx   context.Context
	store *Store
	file  *os.File
	found protocol.Results
}

// Results opens the files that a run has left. It returns web.ErrNoResults if there is no stream of them.
func (s *Store) Results(ctx context.Context, run cluster.RunID) (web.Results, error) {
	opened := make(chan *results, 1)
	err := s.listings.do(ctx, func([]byte) error {
		file, err := openWithin(s.root, folder.Of("", run).Results())
		if err != nil {
			return err
		}
		r := &results{ctx: ctx, store: s, file: file}
		r.found, err = listed(file)
		opened <- r // if nobody waits any longer, the garbage collector closes the file
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %v", web.ErrNoResults, run)
	}
	if err != nil {
		return nil, fmt.Errorf("list the files of %v: %w", run, err)
	}
	return <-opened, nil
}

// listed lists the files in the stream by path.
func listed(file *os.File) (protocol.Results, error) {
	info, err := file.Stat()
	if err != nil {
		return protocol.Results{}, err
	}
	found, err := protocol.ReadResults(file, info.Size())
	slices.SortFunc(found.Files, func(a, b protocol.ResultFile) int { return cmp.Compare(a.Path, b.Path) })
	return found, err
}

func (r *results) List() web.ResultList {
	l := web.ResultList{LeftOut: r.found.LeftOut, Complete: r.found.Complete, Damaged: r.found.Damaged}
	for _, f := range r.found.Files {
		l.Files = append(l.Files, web.ResultFile{Path: f.Path, Size: f.Size})
	}
	for _, o := range r.found.Omitted {
		l.Omitted = append(l.Omitted, web.OmittedResult{Path: o.Path, Why: codeOf(o.Why)})
	}
	return l
}

// codeOf returns the code of the reason in REST.
func codeOf(o protocol.Omission) string {
	codes := [...]string{protocol.Unmatched: "unmatched", protocol.TooLarge: "too_large", protocol.TooMany: "too_many",
		protocol.Special: "special", protocol.BadPath: "bad_path", protocol.Unreadable: "unreadable"}
	if int(o) >= len(codes) || codes[o] == "" {
		return "other"
	}
	return codes[o]
}

func (r *results) Open(i int) io.Reader { return r.found.Files[i].Open(r) }

// ReadAt reads a frame of the stream, which is smaller than a block.
func (r *results) ReadAt(p []byte, at int64) (int, error) {
	read := make(chan []byte, 1) // an abandoned operation must not change p
	err := r.store.do(r.ctx, func(block []byte) error {
		n, err := r.file.ReadAt(block[:min(len(block), len(p))], at)
		read <- bytes.Clone(block[:n])
		return err
	})
	select {
	case frame := <-read:
		return copy(p, frame), err
	default:
		return 0, err
	}
}

func (r *results) Close() error {
	r.store.close(r.file)
	return nil
}
