package stream

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"aliquot/cluster"
	"aliquot/workload"
)

// Stem returns the name of a stream without folder and endings.
func Stem(path string) string {
	name := filepath.Base(path)
	if path == "-" {
		name = "stream"
	}
	for _, ending := range []string{".gz", ".csv", ".swf", ".txt"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}

// EndsIn reports whether a path has one of the endings, in any case.
func EndsIn(path string, endings ...string) bool {
	return slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(strings.ToLower(path), e) })
}

// LoadNames returns the names of a stream's versions: one per load, or the stream alone.
func LoadNames(stem string, loads []float64) []string {
	if len(loads) == 0 {
		return []string{stem}
	}
	var names []string
	for _, load := range loads {
		names = append(names, stem+"-load"+strconv.FormatFloat(load, 'g', -1, 64))
	}
	return names
}

// Numbered returns a name with a number of at least three digits, padded to the width of the largest of count numbers
// from 0.
func Numbered(name string, number, count int) string {
	return fmt.Sprintf("%s%0*d", name, max(3, len(strconv.Itoa(count-1))), number)
}

// SegmentNames returns the names of segments of a stream. Invariant: there is at least one segment.
func SegmentNames(name string, segments []workload.Segment) (names []string) {
	count := segments[len(segments)-1].Number + 1
	for _, g := range segments {
		names = append(names, Numbered(name, g.Number, count))
	}
	return names
}

// ParseLength parses the length of a segment. It returns the length and the word for a segment in file names.
func ParseLength(text string) (cluster.Time, string, error) {
	switch text {
	case "hour":
		return cluster.Hour, text, nil
	case "day":
		return 24 * cluster.Hour, text, nil
	case "week":
		return 7 * 24 * cluster.Hour, text, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Second {
		return 0, "", fmt.Errorf("%q is not a length of a segment: use hour, day, week or a duration like 36h, at least 1s",
			text)
	}
	return cluster.Time(d.Microseconds()), "part", nil
}
