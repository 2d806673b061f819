package simulations

import (
	"errors"
	"strings"
	"testing"
)

func TestWhyAChildFailedIsToldInWords(t *testing.T) {
	for words, want := range map[string]string{
		"fatal error: runtime: out of memory\n\ngoroutine 1 [running]:": "more memory than the limit of 24 MiB",
		"SIGSEGV: segmentation violation\nPC=0x44e07d m=4 sigcode=1 addr=0x0\n\ngoroutine 0 gp=0xc000009860 m=4 [idle]:\n" +
			"runtime.(*spanQueue).tryDrain(0x400?)": "more memory than the limit of 24 MiB",
		"panic: index out of range\n\ngoroutine 1 [running]:": "the simulating process failed: exit status 2",
		"":                             "the simulating process failed: exit status 2",
		"job 3: no node is that large": "job 3: no node is that large",
	} {
		if got := complaint(words, errors.New("exit status 2"), 24<<20); !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}
