package main

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestLinesOfATableEndWhereTheTerminalDoes(t *testing.T) {
	for columns, want := range map[int]string{
		0: "JOB  WHY\nj1   waits für memory\n", 12: "JOB  WHY\nj1   waits …\n", 80: "JOB  WHY\nj1   waits für memory\n",
	} {
		var out strings.Builder
		narrow(&out, columns, func(w io.Writer) { fmt.Fprint(w, "JOB  WHY\nj1   waits für memory\n") })
		if out.String() != want {
			t.Errorf("%d columns: %q", columns, out.String())
		}
	}
}
