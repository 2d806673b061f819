package protocol

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

var text = rapid.StringOfN(rapid.Rune().Filter(func(r rune) bool { return r != 0 }), 0, 40, 200)

func TestATaskArrivesAsItWasSent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(1, MaxTasks).Draw(t, "count")
		want := Task{
			Job:      text.Draw(t, "job"),
			Index:    rapid.IntRange(0, count-1).Draw(t, "index"),
			Count:    count,
			Run:      rapid.IntRange(1, 1000).Draw(t, "run"),
			Command:  append([]string{"/bin/x"}, rapid.SliceOfN(text, 0, 5).Draw(t, "command")...),
			Args:     rapid.SliceOfN(text, 0, 5).Draw(t, "args"),
			Env:      rapid.MapOfN(rapid.StringMatching(`[A-Z_]{1,8}`), text, 0, 5).Draw(t, "env"),
			Files:    rapid.MapOfN(rapid.StringMatching(`[a-z]{1,4}(/[a-z.]{1,3}[a-z])?`), text, 0, 5).Draw(t, "files"),
			Outputs:  rapid.SliceOfN(rapid.StringMatching(`[a-z*]{1,4}`), 0, 5).Draw(t, "outputs"),
			LogBytes: rapid.Int64Range(0, MaxLogBytes).Draw(t, "log"),
		}
		b, err := EncodeTask(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeTask(b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}

// A job may have 64 KiB of text.
func TestATasksFilesMayConsistOfWhatJSONEscapes(t *testing.T) {
	for _, char := range []string{"<", "\x01", "\u2028", "\""} {
		task := Task{Job: "j1", Count: 1, Run: 1, Command: []string{"x"},
			Files: map[string]string{"a": strings.Repeat(char, 64<<10/len(char))}}
		b, err := EncodeTask(task)
		if err != nil {
			t.Errorf("%q: %v", char, err)
			continue
		}
		if back, err := DecodeTask(b); err != nil || back.Files["a"] != task.Files["a"] {
			t.Errorf("%q arrives otherwise: %v", char, err)
		}
	}
}

func TestACommandIsToldItsPlaceAndCannotBeToldAnother(t *testing.T) {
	task := Task{Job: "j17", Index: 2, Count: 3, Run: 1, Command: []string{"x"},
		Env: map[string]string{"ALIQUOT_TASK_INDEX": "9", "PATH": "/opt", "A": "b"}}
	want := []string{"A=b", "ALIQUOT_JOB=j17", "ALIQUOT_RUN=1", "ALIQUOT_TASK_COUNT=3", "ALIQUOT_TASK_INDEX=2",
		"HOME=/root", "PATH=/opt"}
	if diff := cmp.Diff(want, task.Environ()); diff != "" {
		t.Fatal(diff)
	}
}

func TestOutputIsLimitedUnlessToldOtherwise(t *testing.T) {
	if got := (Task{}).OutputLimit(); got != DefaultLogBytes {
		t.Errorf("default %d", got)
	}
	if got := (Task{LogBytes: 7}).OutputLimit(); got != 7 {
		t.Errorf("given 7, got %d", got)
	}
}

func TestImpossibleTasksAreRefused(t *testing.T) {
	good := func() Task { return Task{Job: "j1", Count: 1, Run: 1, Command: []string{"true"}} }
	for want, change := range map[string]func(*Task){
		"no command":              func(t *Task) { t.Command = nil },
		"no command ":             func(t *Task) { t.Command = []string{""} },
		"count 0":                 func(t *Task) { t.Count = 0 },
		"index 1 is not in 0..0":  func(t *Task) { t.Index = 1 },
		"run 0 is not":            func(t *Task) { t.Run = 0 },
		"index -1":                func(t *Task) { t.Index = -1 },
		"log limit -1":            func(t *Task) { t.LogBytes = -1 },
		"zero byte":               func(t *Task) { t.Args = []string{"a\x00b"} },
		"not UTF-8":               func(t *Task) { t.Env = map[string]string{"A": "\xff"} },
		`variable named "A=B"`:    func(t *Task) { t.Env = map[string]string{"A=B": ""} },
		`the path "/etc/passwd"`:  func(t *Task) { t.Files = map[string]string{"/etc/passwd": ""} },
		`the path "../x"`:         func(t *Task) { t.Files = map[string]string{"../x": ""} },
		`the path "a/./b"`:        func(t *Task) { t.Files = map[string]string{"a/./b": ""} },
		`an output "[a"`:          func(t *Task) { t.Outputs = []string{"[a"} },
		"limit of results -1":     func(t *Task) { t.ResultBytes = -1 },
		`the path "."`:            func(t *Task) { t.Files = map[string]string{".": ""} },
		`variable named ""`:       func(t *Task) { t.Env = map[string]string{"": "x"} },
		"at most 98304 allowed":   func(t *Task) { t.Args = []string{strings.Repeat("x", MaxStringBytes+1)} },
		"at most 524288 allowed":  func(t *Task) { t.Args = slices.Repeat([]string{strings.Repeat("x", MaxStringBytes)}, 6) },
		"more than 4096 argument": func(t *Task) { t.Args = slices.Repeat([]string{"x"}, MaxStrings) },
	} {
		task := good()
		change(&task)
		if _, err := EncodeTask(task); err == nil || !strings.Contains(err.Error(), strings.TrimSpace(want)) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

func TestDocumentsThatAreNotExactlyATaskAreRefused(t *testing.T) {
	for _, doc := range []string{
		``, `null`, `[]`, `{"command":["x"],"count":1,"run":1}x`, `{"command":["x"],"count":1,"run":1,"cmd":1}`,
		`{"command":"x","count":1,"run":1}`, `{"command":["x"],"count":1,"run":1.5}`, `{"command":["x"],"count":1,"run":1}{}`,
		strings.Repeat(" ", MaxTaskBytes+1),
	} {
		if task, err := DecodeTask([]byte(doc)); err == nil {
			t.Errorf("%.40q was read as %+v", doc, task)
		}
	}
}

func FuzzDecodeTask(f *testing.F) {
	f.Add([]byte(`{"job":"j1","index":0,"count":1,"run":1,"command":["sh","-c","exit 3"],"env":{"A":"b"}}`))
	f.Add([]byte(`{"count":1,"run":1,"command":["\u0000"]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		task, err := DecodeTask(b)
		if err != nil {
			return
		}
		again, err := EncodeTask(task)
		if err != nil {
			if len(again) > MaxTaskBytes { // escapes may make it longer than the original
				return
			}
			t.Fatalf("%+v was read but is not written: %v", task, err)
		}
		back, err := DecodeTask(again)
		if diff := cmp.Diff(task, back, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Fatal(err, diff)
		}
	})
}

func TestImpossibleNetworksAreRefused(t *testing.T) {
	good := Network{MAC: "02:00:00:00:00:01", First: "10.77.0.2", Bits: 16}
	task := Task{Command: []string{"x"}, Count: 2, Run: 1, Network: &good}
	if _, err := EncodeTask(task); err != nil {
		t.Error(err)
	}
	for _, bad := range []Network{{}, {MAC: good.MAC, First: "fd00::1", Bits: 16}, {MAC: "x", First: good.First, Bits: 16},
		{MAC: good.MAC, First: good.First, Bits: 33}} {
		task.Network = &bad
		if _, err := EncodeTask(task); err == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}
