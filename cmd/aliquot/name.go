package main

import (
	"cmp"
	"regexp"
	"strings"
)

var number = regexp.MustCompile(`\d+`)

// byName orders names as people count: n2 before n10.
func byName(a, b string) int {
	return cmp.Or(strings.Compare(aligned(a), aligned(b)), strings.Compare(a, b))
}

// aligned is the name with its numbers as long as a name may be, so that they compare as numbers do.
func aligned(name string) string {
	return number.ReplaceAllStringFunc(name, func(digits string) string {
		return strings.Repeat("0", max(0, 253-len(digits))) + digits
	})
}
