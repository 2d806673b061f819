package cluster

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Limits of the files that a job leaves behind.
const (
	MaxOutputs     = 64 // paths and patterns
	maxResults     = 10 << 10 * MiB
	DefaultResults = 100 * MiB // files kept per task of a job that names outputs and no limit

	// NoResults as Limits.ResultBytes of an order says that the task leaves no files. Jobs do not have it.
	NoResults Bytes = -1
)

// checkOutputs checks the outputs of the spec by themselves.
func (s *Spec) checkOutputs() *Rejection {
	odd := func(pattern string) bool { return !plainPattern(pattern) }
	switch {
	case len(s.Outputs) > MaxOutputs:
		return invalid("outputs", "at most %d", MaxOutputs)
	case slices.ContainsFunc(s.Outputs, dotted):
		return invalid("outputs", "must not have . or .. as a part: name a folder by its path, and all in /work by *")
	case slices.ContainsFunc(s.Outputs, odd):
		return invalid("outputs",
			"must be paths or patterns of at most %d bytes, without empty parts and control characters, and with every [ closed", MaxPath)
	case s.Limits.ResultBytes < 0 || s.Limits.ResultBytes > maxResults:
		return invalid("limits.resultBytes", "must be from 0 (the default) to %s", Bytes(maxResults).Words())
	case s.Limits.ResultBytes != 0 && len(s.Outputs) == 0:
		return invalid("limits.resultBytes", "limits outputs, and the job names none")
	}
	return nil
}

// dotted reports whether a part of the path is "." or "..".
func dotted(p string) bool {
	parts := strings.Split(p, "/")
	return slices.Contains(parts, ".") || slices.Contains(parts, "..")
}

// plainPattern reports whether the text is a path or a pattern of paths, from the root or from the task's folder. A
// slash at its end is for people.
func plainPattern(p string) bool {
	_, err := path.Match(p, "")
	return err == nil && plainPath(strings.TrimSuffix(strings.TrimPrefix(p, "/"), "/"))
}

// ResultLimit returns the most bytes of files that a task of the job may leave.
func (s *Spec) ResultLimit() Bytes {
	if len(s.Outputs) == 0 {
		return 0
	}
	return cmp.Or(s.Limits.ResultBytes, DefaultResults)
}

// Selects reports whether the pattern is the path of the file, that of a folder around it, or a pattern that matches
// the file or such a folder; "": all files. Only the part of the path that is as deep as the pattern can match it.
func Selects(pattern, file string) bool {
	pattern = strings.TrimSuffix(pattern, "/")
	part, depth := file, strings.Count(pattern, "/")
	for i := range len(file) {
		if file[i] == '/' {
			if depth == 0 {
				part = file[:i]
				break
			}
			depth--
		}
	}
	matches, _ := path.Match(pattern, part)
	return pattern == "" || pattern == part || matches
}
