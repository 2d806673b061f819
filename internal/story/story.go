// Package story replays stories for people to read: files of commands, each with its expected output. It knows the
// form of a story, not its subject. Only tests use it.
//
// A line of a story is a name, then words and key=value pairs in any order; an underscore in a value stands for a
// space. A mistake in a story panics, which fails the test at the story's command.
//
// Reference: github.com/cockroachdb/datadriven. Its flag -rewrite rewrites the expected output.
package story

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// Runner runs one command of a story and returns its output.
type Runner func(t *testing.T, d *datadriven.TestData) string

// Replay replays each file *.txt of the folder with a new runner.
func Replay(t *testing.T, folder string, begin func(t *testing.T) Runner) {
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories in %s: %v", folder, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			datadriven.RunTest(t, file, begin(t))
		})
	}
}

// Line is one line of a story.
type Line struct {
	Name  string
	Words []string          // behind the name, without an equals sign
	Args  map[string]string // key=value
}

// Lines returns the lines of a command's input.
func Lines(input string) (lines []Line) {
	for text := range strings.Lines(input) {
		lines = append(lines, Parse(text))
	}
	return lines
}

// Parse reads one line, which must not be empty.
func Parse(text string) Line {
	words := strings.Fields(text)
	l := Line{Name: words[0], Args: map[string]string{}}
	for _, word := range words[1:] {
		if key, value, pair := strings.Cut(word, "="); pair {
			l.Args[key] = strings.ReplaceAll(value, "_", " ")
		} else {
			l.Words = append(l.Words, word)
		}
	}
	return l
}

// Has reports whether the line has the word, or a value for it.
func (l Line) Has(word string) bool {
	for _, w := range l.Words {
		if w == word {
			return true
		}
	}
	_, given := l.Args[word]
	return given
}

// Number returns the value of a key, or otherwise if the key is absent.
func (l Line) Number(key string, otherwise int) int {
	if l.Args[key] == "" {
		return otherwise
	}
	return Number(l.Args[key])
}

// Number parses a whole number.
func Number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(fmt.Sprintf("story: %q is not a whole number", text))
	}
	return n
}
