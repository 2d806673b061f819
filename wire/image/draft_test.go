package image

import (
	"io"
	"strings"
	"testing"
)

func TestWhatIsTooLargeIsAnErrorAndNotCutOff(t *testing.T) {
	for most, fits := range map[int64]bool{4: false, 5: true, 6: true} {
		got, err := io.ReadAll(&bounded{strings.NewReader("12345"), most})
		if fits && (err != nil || string(got) != "12345") || !fits && err == nil {
			t.Errorf("of at most %d: %q, %v", most, got, err)
		}
	}
}
