package main

import (
	"cmp"
	"regexp"
	"strings"
)

var number = regexp.MustCompile(`\d+`)

// byName compares names with numbers by value: n2 before n10.
func byName(a, b string) int {
	return cmp.Or(strings.Compare(aligned(a), aligned(b)), strings.Compare(a, b))
}

// aligned pads the numbers in a name, so that they compare by value.
func aligned(name string) string {
	return number.ReplaceAllStringFunc(name, func(digits string) string {
		return strings.Repeat("0", max(0, 253-len(digits))) + digits
	})
}
