package cluster

import (
	"bufio"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var writtenReason = regexp.MustCompile(`^(\w+)\[(.*)\]$`)

func TestOldStatesKeepTheSentencesOfTheirTime(t *testing.T) {
	file, err := os.Open("testdata/format2/reasons.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	count := 0
	for lines := bufio.NewScanner(file); lines.Scan(); count++ {
		code, want, _ := strings.Cut(lines.Text(), "\t")
		parts := writtenReason.FindStringSubmatch(code)
		if parts == nil {
			t.Fatalf("%q is not a reason", code)
		}
		r := Reason{Code: ReasonCode(parts[1])}
		for _, field := range strings.Fields(parts[2]) {
			v, err := strconv.ParseInt(field, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			r.Values = append(r.Values, v)
		}
		if got := legacyReason(r); got != want {
			t.Errorf("%s\n got %s\nwant %s", code, got, want)
		}
	}
	if count < 300 {
		t.Errorf("%d reasons only", count)
	}
}
