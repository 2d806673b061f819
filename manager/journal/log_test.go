package journal_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/manager/journal"
)

var limits = journal.Limits{Age: cluster.Hour, Bytes: 1 << 20}

// read opens a log of numbers and returns those that it has.
func read(t *testing.T, dir string, limits journal.Limits) (*journal.Log, string) {
	t.Helper()
	var found []string
	l, err := journal.Open(dir, limits, func(line []byte) cluster.Time {
		n, err := strconv.Atoi(string(line))
		if err != nil {
			return 0
		}
		found = append(found, string(line))
		return cluster.Time(n) * cluster.Minute
	})
	if err != nil {
		t.Fatal(err)
	}
	return l, strings.Join(found, " ")
}

func write(t *testing.T, l *journal.Log, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		if err := l.Append(cluster.Time(i)*cluster.Minute, fmt.Append(nil, i)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLinesAreReadInTheOrderInWhichTheyWereWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	l, _ := read(t, dir, limits)
	write(t, l, 10, 13)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l, found := read(t, dir, limits)
	if found != "10 11 12" {
		t.Errorf("read %q", found)
	}
	write(t, l, 13, 14)
	if _, found := read(t, dir, limits); found != "10 11 12 13" {
		t.Errorf("read %q without a close", found)
	}
}

func TestDamageCostsTheDamagedLinesOnly(t *testing.T) {
	for name, c := range map[string]struct {
		text string // of the first file
		want string
	}{
		"a torn end":             {"10\n11\n1", "10 11 20"},
		"an empty file":          {"", "20"},
		"only a torn line":       {"10", "20"},
		"a line of zeros":        {"10\n\x00\x00\x00\n12\n", "10 12 20"},
		"empty lines":            {"\n\n10\n\n", "10 20"},
		"something else":         {"\xff\xfe{}", "20"},
		"a block is overwritten": {"10\n1\x00\x00\x00\x00\x00\n12\n", "10 12 20"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%020d.lines", 1)), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "readme.lines"), []byte("99\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		l, _ := read(t, dir, limits)
		write(t, l, 20, 21)
		if _, found := read(t, dir, limits); found != c.want {
			t.Errorf("%s: read %q, want %q", name, found, c.want)
		}
	}
}

func TestAFileThatCannotBeReadIsTold(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, fmt.Sprintf("%020d.lines", 3)), 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := journal.Open(dir, limits, func([]byte) cluster.Time { return 1 })
	if err == nil {
		t.Error("nothing is told")
	}
	write(t, l, 20, 21)
}

func TestWithoutItsFolderALogTellsAndGoesOnOnceItIsThere(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "log")
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := journal.Open(dir, limits, func([]byte) cluster.Time { return 1 })
	if err == nil || l.Append(1, []byte("1")) == nil {
		t.Fatal("nothing is told")
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, l, 1, 2)
}

func TestTheOldestFilesGoBeyondTheLimits(t *testing.T) {
	for name, l := range map[string]journal.Limits{
		"bytes": {Age: 1000 * cluster.Hour, Bytes: 160},
		"age":   {Age: 40 * cluster.Minute, Bytes: 1 << 10},
	} {
		dir := t.TempDir()
		log, _ := read(t, dir, l)
		write(t, log, 1000, 1300)
		_, found := read(t, dir, l)
		kept := strings.Fields(found)
		if len(kept) < 20 || len(kept) > 60 || kept[len(kept)-1] != "1299" {
			t.Errorf("%s: %d lines are kept, up to %s", name, len(kept), kept[len(kept)-1])
		}
	}
}
