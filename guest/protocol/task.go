package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Limits of a [Task]. Linux allows 128 KiB per argument; the sum must also leave
// room in a guest of 96 MiB and on QEMU's side.
const (
	MaxTaskBytes   = 512 << 10 // of the encoded task; JSON takes up to six bytes for one
	MaxStringBytes = 96 << 10  // of one argument or one variable
	MaxStrings     = 4096      // arguments and variables together
	MaxTasks       = 1 << 20   // of a job
	MaxLogBytes    = 1 << 40
)

// DefaultLogBytes is the limit of a task's output when its LogBytes is 0.
const DefaultLogBytes = 10 << 20

// A Task is the guest's order: the command to run, and the command's place in its job.
type Task struct {
	Job      string            `json:"job"`                // the job's id, such as "j17"
	Index    int               `json:"index"`              // 0..Count-1
	Count    int               `json:"count"`              // tasks of the job
	Run      int               `json:"run"`                // starts of the task, this one included
	Command  []string          `json:"command"`            // program, and arguments that come first; at least one
	Args     []string          `json:"args,omitempty"`     // further arguments
	Env      map[string]string `json:"env,omitempty"`      // by name; see Environ
	LogBytes int64             `json:"logBytes,omitempty"` // output beyond it is dropped; 0: DefaultLogBytes
	Files    map[string]string `json:"files,omitempty"`    // contents by path below [Work], where the command then starts

	Outputs     []string `json:"outputs,omitempty"`     // paths and patterns of its results; relative ones from [Work]
	Network     *Network `json:"network,omitempty"`     // nil: it has none
	ResultBytes int64    `json:"resultBytes,omitempty"` // of their contents; 0: DefaultResultBytes
}

// Work is the folder with the files of a task, those that it is given and those that it leaves.
const Work = "/work"

// Folder returns the folder in which the command starts.
func (t Task) Folder() string {
	if len(t.Files) > 0 || len(t.Outputs) > 0 {
		return Work
	}
	return "/"
}

// Argv returns the command and its arguments. The command is looked up in PATH.
func (t Task) Argv() []string { return slices.Concat(t.Command, t.Args) }

// OutputLimit returns the number of bytes of output that the guest passes on.
func (t Task) OutputLimit() int64 {
	if t.LogBytes == 0 {
		return DefaultLogBytes
	}
	return t.LogBytes
}

// ResultLimit returns the number of bytes of the contents of results.
func (t Task) ResultLimit() int64 {
	if t.ResultBytes == 0 {
		return DefaultResultBytes
	}
	return t.ResultBytes
}

// Environ returns the command's environment as "NAME=value", sorted: PATH and HOME unless given, the task's own
// variables, and ALIQUOT_TASK_INDEX, ALIQUOT_TASK_COUNT, ALIQUOT_RUN, ALIQUOT_JOB, and with a network ALIQUOT_ADDRESS
// and ALIQUOT_PEERS, which nothing overrides.
func (t Task) Environ() []string {
	env := map[string]string{"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
	maps.Copy(env, t.Env)
	env["ALIQUOT_TASK_INDEX"] = strconv.Itoa(t.Index)
	env["ALIQUOT_TASK_COUNT"] = strconv.Itoa(t.Count)
	env["ALIQUOT_RUN"] = strconv.Itoa(t.Run)
	env["ALIQUOT_JOB"] = t.Job
	maps.Copy(env, t.peers())
	out := make([]string, 0, len(env))
	for name, value := range env {
		out = append(out, name+"="+value)
	}
	slices.Sort(out)
	return out
}

// EncodeTask returns the document for [TaskEntry], or an error that names the invalid field.
func EncodeTask(t Task) ([]byte, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false)
	err := to.Encode(t)
	if err == nil && b.Len() > MaxTaskBytes {
		err = fmt.Errorf("task of %d bytes, at most %d allowed; shorten arguments or environment", b.Len(), MaxTaskBytes)
	}
	return b.Bytes(), err
}

// DecodeTask reads a document made by [EncodeTask]. Unknown fields, bytes after the document and
// values outside their limits are errors.
func DecodeTask(b []byte) (Task, error) {
	if len(b) > MaxTaskBytes {
		return Task{}, fmt.Errorf("task of %d bytes, at most %d allowed", len(b), MaxTaskBytes)
	}
	var t Task
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&t); err != nil {
		return Task{}, fmt.Errorf("decode task: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return Task{}, errors.New("decode task: bytes after the document")
	}
	return t, t.check()
}

func (t Task) check() error {
	switch {
	case len(t.Command) == 0 || t.Command[0] == "":
		return errors.New("task has no command")
	case t.Count < 1 || t.Count > MaxTasks:
		return fmt.Errorf("task count %d is not in 1..%d", t.Count, MaxTasks)
	case t.Index < 0 || t.Index >= t.Count:
		return fmt.Errorf("task index %d is not in 0..%d", t.Index, t.Count-1)
	case t.Run < 1:
		return fmt.Errorf("run %d is not at least 1", t.Run)
	case t.LogBytes < 0 || t.LogBytes > MaxLogBytes:
		return fmt.Errorf("task log limit %d is not in 0..%d bytes", t.LogBytes, int64(MaxLogBytes))
	case t.ResultBytes < 0 || t.ResultBytes > MaxResultBytes:
		return fmt.Errorf("task limit of results %d is not in 0..%d bytes", t.ResultBytes, int64(MaxResultBytes))
	case len(t.Command)+len(t.Args)+len(t.Env)+len(t.Files)+len(t.Outputs) > MaxStrings:
		return fmt.Errorf("task has more than %d arguments, variables, files and outputs", MaxStrings)
	}
	if t.Network != nil {
		if err := t.Network.check(t.Count); err != nil {
			return err
		}
	}
	return t.checkStrings()
}

func (t Task) checkStrings() error {
	if err := checkString("job", t.Job); err != nil {
		return err
	}
	for i, arg := range t.Argv() {
		if err := checkString("argument "+strconv.Itoa(i), arg); err != nil {
			return err
		}
	}
	for name, value := range t.Env {
		if name == "" || strings.Contains(name, "=") {
			return fmt.Errorf("task has a variable named %q", name)
		}
		if err := checkString("a variable", name+"="+value); err != nil {
			return err
		}
	}
	for _, pattern := range t.Outputs {
		if err := checkString("an output", pattern); err != nil {
			return err
		}
		if _, err := path.Match(pattern, ""); err != nil || pattern == "" {
			return fmt.Errorf("task has an output %q", pattern)
		}
	}
	for path, content := range t.Files {
		if !filepath.IsLocal(path) || filepath.Clean(path) != path || path == "." {
			return fmt.Errorf("task has a file with the path %q", path)
		}
		if err := checkString("a file", path+content); err != nil {
			return err
		}
	}
	return nil
}

// checkString refuses strings that the kernel cannot pass on or that JSON would alter.
func checkString(what, s string) error {
	switch {
	case len(s) > MaxStringBytes:
		return fmt.Errorf("task: %s has %d bytes, at most %d allowed", what, len(s), MaxStringBytes)
	case strings.ContainsRune(s, 0):
		return fmt.Errorf("task: %s contains a zero byte", what)
	case strings.ToValidUTF8(s, "") != s:
		return fmt.Errorf("task: %s is not UTF-8", what)
	}
	return nil
}
