//go:build linux

package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"aliquot/guest/protocol"

	"golang.org/x/sys/unix"
)

// gatherer sends files to the port of results. The task may have made what it finds: links lead anywhere, folders are
// deep or endless, pipes wait. A link is never sent, but it may be a folder on the way of a pattern: what can be read
// there is what the guest's root can read. Its methods fail only when the port does.
type gatherer struct {
	to   *protocol.ResultWriter
	base string          // folder of relative patterns and paths
	seen map[string]bool // files that were sent or left out
	left int             // files and folders that are looked at yet
}

// mostLooks bounds the files and folders that are looked at for results.
const mostLooks = protocol.MaxResults + 10*protocol.MaxOmissions

// gather sends the files that the patterns name. Relative patterns are from the folder base.
func gather(port io.Writer, limit int64, base string, patterns []string) error {
	g := gatherer{protocol.NewResultWriter(port, limit), base, map[string]bool{}, mostLooks}
	for _, pattern := range patterns {
		if err := g.match(pattern); err != nil {
			return err
		}
	}
	return g.to.Done()
}

func (g *gatherer) match(pattern string) error {
	at := filepath.Clean(pattern)
	if !filepath.IsAbs(at) {
		at = filepath.Join(g.base, at)
	}
	found, _ := filepath.Glob(at) // a bad pattern was refused
	if len(found) == 0 {
		return g.to.Omit(pattern, protocol.Unmatched)
	}
	for _, path := range found {
		if err := g.take(path); err != nil {
			return err
		}
	}
	return nil
}

// take sends a file, or all files in a folder. The files that the task was given are no results.
func (g *gatherer) take(path string) error {
	if g.seen[path] {
		return nil
	}
	if g.left--; g.left < 0 {
		return g.to.Omit(g.name(path), protocol.TooMany)
	}
	g.seen[path] = true
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return g.to.Omit(g.name(path), protocol.Unreadable)
	case info.Mode()&fs.ModeSymlink != 0 && isGiven(path):
		return nil
	case info.IsDir():
		return g.folder(path)
	case !info.Mode().IsRegular():
		return g.to.Omit(g.name(path), protocol.Special)
	}
	return g.file(path)
}

// isGiven reports whether the link leads to a file that the task was given.
func isGiven(link string) bool {
	target, err := os.Readlink(link)
	return err == nil && strings.HasPrefix(target, given+"/")
}

// name returns the path under which a file is kept.
func (g *gatherer) name(path string) string {
	if name, within := strings.CutPrefix(path, g.base+"/"); within {
		return name
	}
	return strings.TrimPrefix(path, "/")
}

// folder sends the files in a folder, which it reads piece by piece. Folders that lie too deep for a path are left out.
func (g *gatherer) folder(path string) error {
	if len(g.name(path)) > protocol.MaxResultPath {
		return g.to.Omit(g.name(path), protocol.BadPath)
	}
	folder, err := os.Open(path)
	if err != nil {
		return g.to.Omit(g.name(path), protocol.Unreadable)
	}
	defer folder.Close()
	for {
		names, err := folder.Readdirnames(256)
		for _, name := range names {
			if err := g.take(filepath.Join(path, name)); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return g.to.Omit(g.name(path), protocol.Unreadable)
		case g.left < 0: // there may be more
			return g.to.Omit(g.name(path), protocol.TooMany)
		}
	}
}

// file sends a regular file with the size that it has now.
func (g *gatherer) file(path string) error {
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return g.to.Omit(g.name(path), protocol.Unreadable)
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return g.to.Omit(g.name(path), protocol.Unreadable)
	case !info.Mode().IsRegular():
		return g.to.Omit(g.name(path), protocol.Special)
	}
	return g.to.File(g.name(path), info.Size(), file)
}
