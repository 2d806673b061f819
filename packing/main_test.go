package packing

import (
	"flag"
	"os"
	"testing"
)

// TestMain raises the number of random cases, since they are cheap here; -rapid.checks overrides it.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "1000"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
