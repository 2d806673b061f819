package protocol

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of the results of a task.
const (
	DefaultResultBytes = 100 << 20 // the limit of their contents when a Task's ResultBytes is 0
	MaxResultBytes     = 1 << 40   // of one file, and of a Task's limit
	MaxResults         = 10_000    // files
	MaxResultPath      = 1000      // bytes of the path of one
	MaxResultDepth     = 32        // parts of the path of one
	MaxOmissions       = 1000      // files left out that are told one by one
)

// maxPart is the largest number of bytes of a file in one frame. All frames of a file but the last have as many.
const maxPart = frameLimit - headerSize - crcSize

// An Omission tells why a file is not among the results.
type Omission byte

// The reasons.
const (
	Unmatched  Omission = iota + 1 // no file has the path or matches the pattern
	TooLarge                       // it is larger than what the limit leaves
	TooMany                        // there are too many files
	Special                        // it is a link, a device, a pipe or a socket
	BadPath                        // its path is too long or too deep, not printable, or that of another file
	Unreadable                     // it could not be read
)

// A ResultFile is a file that a task has left.
type ResultFile struct {
	Path string // relative, plain and unique; see [PlainPath]
	Size int64  // bytes
	at   int64  // offset in the stream of its first part
}

// Omitted is a file or a pattern that is not among the results. Path holds what the guest says, for people.
type Omitted struct {
	Path string
	Why  Omission
}

// PlainPath reports whether the text is a relative path that leads to one place only, below its folder, and that people
// can read. Its depth is bounded because [paths] has an entry for each folder on the way.
func PlainPath(p string) bool {
	if len(p) > MaxResultPath || strings.Count(p, "/") >= MaxResultDepth || !utf8.ValidString(p) ||
		strings.ContainsFunc(p, unprintable) {
		return false
	}
	for part := range strings.SplitSeq(p, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }

// paths is a set of plain paths. None of them leads through another.
type paths map[string]bool // true: a file; false: a folder on the way to one

// add adds the path of a file, and reports whether that is possible.
func (s paths) add(path string) bool {
	if _, taken := s[path]; taken || !PlainPath(path) {
		return false
	}
	for i := range path {
		if path[i] == '/' && s[path[:i]] {
			return false
		}
	}
	for i := range path {
		if path[i] == '/' {
			s[path[:i]] = false
		}
	}
	s[path] = true
	return true
}
