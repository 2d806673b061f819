package web_test

import (
	"encoding/json"
	"os"
	"testing"

	"aliquot/cluster"
)

// The console's tests read the same file.
func TestAmountsAreWrittenAsTheConsoleWritesThem(t *testing.T) {
	text, err := os.ReadFile("testdata/amounts.json")
	var same struct {
		Bytes   map[cluster.Bytes]string
		Seconds map[cluster.Time]string
	}
	if err != nil || json.Unmarshal(text, &same) != nil {
		t.Fatalf("%s, %v", text, err)
	}
	for amount, want := range same.Bytes {
		if got := amount.Words(); got != want {
			t.Errorf("%d bytes are written %q, want %q", amount, got, want)
		}
	}
	for seconds, want := range same.Seconds {
		if got := (seconds * cluster.Second).Words(); got != want {
			t.Errorf("%d seconds are written %q, want %q", seconds, got, want)
		}
	}
}
