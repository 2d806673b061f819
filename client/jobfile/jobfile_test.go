package jobfile

import (
	"strings"
	"testing"
)

// FuzzJobFile expects jobs or an error for any text.
func FuzzJobFile(f *testing.F) {
	for _, seed := range []string{
		"cpu: 1\nmemory: 64Mi\n", "---\n---\n", "a: &a [*a]\n", "cpu: !!binary aGk=\n", "env: {A: null}\n",
		"{\"cpu\": 1.5, \"tasks\": 2}",
		"restart: &r {onFailure: 1}\nplacement: *r\n", "? [x]\n: y\n", "labels:\n  <<: {a: b}\n", "tasks: 0x10\n",
		"limits: ~\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		jobs, err := Read("file", strings.NewReader(text))
		if (len(jobs) > 0) == (err != nil) {
			t.Errorf("%d jobs and error %v", len(jobs), err)
		}
	})
}
