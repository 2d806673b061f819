package main

import (
	"slices"
	"testing"
)

func TestNamesAreOrderedAsPeopleCount(t *testing.T) {
	want := []string{"a", "n01", "n1", "n2", "n2b", "n10", "n10-3", "n10-20", "n99999999999999999999999", "rack"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, byName)
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
