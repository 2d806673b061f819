package cluster

import (
	"flag"
	"os"
	"testing"
)

// TestMain lets laws take longer walks than usual, as states become interesting late; -rapid.steps overrides it.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.steps", "80"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
