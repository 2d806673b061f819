package webtest

import (
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"aliquot/cluster"
	"aliquot/web"
)

// Damaged is the content of a file that cannot be read to its end.
const Damaged = "damaged"

// Leave sets the contents of the files that a run has left, by path.
func (c *Cluster) Leave(run cluster.RunID, files map[string]string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.results[run] = files
}

// Results returns the files set by Leave. Besides them, a file is told to be omitted.
func (c *Cluster) Results(_ context.Context, run cluster.RunID) (web.Results, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	files, ok := c.results[run]
	if !ok {
		return nil, web.ErrNoResults
	}
	return results(files), nil
}

type results map[string]string

func (r results) List() web.ResultList {
	l := web.ResultList{Complete: true, LeftOut: 1, Omitted: []web.OmittedResult{{Path: "core", Why: "too_large"}}}
	for _, path := range slices.Sorted(maps.Keys(r)) {
		l.Files = append(l.Files, web.ResultFile{Path: path, Size: int64(len(r[path]))})
	}
	return l
}

func (r results) Open(i int) io.Reader {
	content := r[r.List().Files[i].Path]
	if content == Damaged {
		return io.MultiReader(strings.NewReader("dam"), failing{})
	}
	return strings.NewReader(content)
}

func (r results) Close() error { return nil }

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("damaged") }
