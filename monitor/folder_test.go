package monitor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
	"aliquot/guest/folder"
	"aliquot/guest/protocol"
	"aliquot/monitor/reconcile"
)

var someRun = cluster.RunID{Job: 17, Index: 2, Number: 3}

func TestAVMIsRecognisedByNameAndUUIDTogether(t *testing.T) {
	vm := VM{[16]byte{0xab, 0xcd, 0xef, 1, 9}, someRun}
	if vm.Name() != "aliquot-abcdef01-j17-2-3" {
		t.Errorf("name %q", vm.Name())
	}
	if got, err := ParseVM(vm.Cluster, vm.Name(), vm.UUID()); err != nil || got != vm {
		t.Errorf("%+v, %v", got, err)
	}
	twin := VM{[16]byte{0xab, 0xcd, 0xef, 1, 8}, someRun}
	for _, c := range []struct{ name, uuid string }{
		{vm.Name(), twin.UUID()},
		{"aliquot-abcdef01-j17-2-4", vm.UUID()},
		{"aliquot-abcdef01-j017-2-3", vm.UUID()},
		{"aliquot-abcdef01-j17-2", vm.UUID()},
		{"debian", vm.UUID()},
		{"", ""},
	} {
		if got, err := ParseVM(vm.Cluster, c.name, c.uuid); err == nil {
			t.Errorf("%q with %s passes for %+v", c.name, c.uuid, got)
		}
	}
}

func TestARunIsPreparedOnce(t *testing.T) {
	f := RunFolder(t.TempDir(), someRun)
	task := protocol.Task{Job: "j17", Index: 2, Count: 4, Run: 1, Command: []string{"true"}}
	if g, err := f.Read(); err != nil || g.Begun {
		t.Errorf("before: %+v, %v", g, err)
	}
	if err := f.Prepare(task); err != nil {
		t.Fatal(err)
	}
	if g, err := f.Read(); err != nil || !g.Begun || g.Started {
		t.Errorf("prepared: %+v, %v", g, err)
	}
	if err := f.Prepare(task); !errors.Is(err, ErrBegun) {
		t.Errorf("prepared again: %v", err)
	}
	document, err := os.ReadFile(f.Task())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := protocol.DecodeTask(document); err != nil || cmp.Diff(task, got) != "" {
		t.Errorf("%v %s", err, cmp.Diff(task, got))
	}
}

func TestOthersOnTheMachineDoNotReadATask(t *testing.T) {
	f := RunFolder(t.TempDir(), someRun)
	if err := f.Prepare(protocol.Task{Job: "j17", Count: 1, Run: 1, Command: []string{"true"}}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(f.Task()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, error %v; the task holds the job's environment", info.Mode(), err)
	}
}

func TestOnlyTheGuestsOwnExitIsItsSuccess(t *testing.T) {
	hello, started := protocol.Hello{Version: protocol.Version}, protocol.Started{}
	for _, c := range []struct {
		name     string
		messages []protocol.Message
		tail     string
		started  bool
		exit     *cluster.Exit // Cause "*": any
	}{
		{"nothing yet", nil, "", false, nil},
		{"booted", []protocol.Message{hello}, "", false, nil},
		{"started", []protocol.Message{hello, started}, "", true, nil},
		{"exit", []protocol.Message{hello, started, protocol.Exit{Code: 0}}, "", true, &cluster.Exit{}},
		{"killed", []protocol.Message{hello, started, protocol.Exit{Code: 137, Signal: "SIGKILL"}}, "", true,
			&cluster.Exit{Code: 137, Signal: "SIGKILL"}},
		{"could not run", []protocol.Message{hello, protocol.Error{Text: "no task"}}, "", false,
			&cluster.Exit{Cause: "the guest could not run the task: no task"}},
		{"torn", []protocol.Message{hello, started}, "\xa1lq", true, nil},
		{"damaged", []protocol.Message{hello, started}, "Kernel panic", true, &cluster.Exit{Cause: "*"}},
		{"damaged after success", []protocol.Message{hello, started, protocol.Exit{}}, "garbage", true,
			&cluster.Exit{Cause: "*"}},
	} {
		f := Folder{Folder: folder.Folder(t.TempDir())}
		file, err := os.Create(f.Control())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range c.messages {
			if err := protocol.WriteControl(file, m); err != nil {
				t.Fatal(err)
			}
		}
		file.WriteString(c.tail)
		file.Close()
		g, err := f.Read()
		if err != nil {
			t.Fatal(err)
		}
		if c.exit != nil && c.exit.Cause == "*" && g.Exit != nil && g.Exit.Cause != "" {
			c.exit = g.Exit
		}
		if diff := cmp.Diff(reconcile.Guest{Begun: true, Started: c.started, Exit: c.exit}, g); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestAReportIsReadInBounds(t *testing.T) {
	f := Folder{Folder: folder.Folder(t.TempDir())}
	if err := os.WriteFile(f.Control(), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(f.Control(), 1<<40); err != nil { // it would not fit into memory
		t.Fatal(err)
	}
	if g, err := f.Read(); err != nil || g.Exit == nil ||
		g.Exit.Cause != "the guest wrote more than 64 KiB to its control port" {
		t.Errorf("read as %+v, %v", g.Exit, err)
	}
}

func TestAGuestThatWritesMoreThanItsTaskMayIsEnded(t *testing.T) {
	for _, c := range []struct {
		written
		limits cluster.Limits
		cause  string
	}{
		{written{console: maxConsole, output: outputFactor*100 + outputRest}, cluster.Limits{LogBytes: 100}, ""},
		{written{console: maxConsole + 1}, cluster.Limits{}, "the guest wrote more than 64 MiB to its console"},
		{written{output: outputFactor*cluster.MiB + outputRest + 1}, cluster.Limits{LogBytes: cluster.MiB},
			"the guest wrote more than 32.0 MiB to its output port"},
		{written{output: outputFactor * protocol.DefaultLogBytes}, cluster.Limits{}, ""},
		{written{results: 1 << 30}, cluster.Limits{ResultBytes: 1 << 30}, ""},
		{written{results: 10 << 30}, cluster.Limits{}, "the guest wrote more than 111 MiB to its port of results"},
		{written{}, cluster.Limits{ResultBytes: cluster.NoResults}, ""},
		{written{results: 2}, cluster.Limits{ResultBytes: cluster.NoResults},
			"the guest wrote to its port of results, but its job names no outputs"},
	} {
		cause := ""
		if exit := c.excess(c.limits); exit != nil {
			cause = exit.Cause
		}
		if cause != c.cause {
			t.Errorf("%+v with %+v: %q, want %q", c.written, c.limits, cause, c.cause)
		}
	}
}

func TestAGuestThatHasWrittenNothingKeepsEveryLimit(t *testing.T) {
	f := RunFolder(t.TempDir(), someRun)
	if err := f.Prepare(protocol.Task{Job: "j17", Index: 2, Count: 4, Run: 1, Command: []string{"true"}}); err != nil {
		t.Fatal(err)
	}
	w, err := f.written()
	if exit := w.excess(cluster.Limits{ResultBytes: cluster.NoResults}); err != nil || exit != nil {
		t.Errorf("%+v, %v, %v", w, exit, err)
	}
}

func TestTheHypervisorIsToldWhetherResultsAreKept(t *testing.T) {
	for _, outputs := range [][]string{nil, {"out/*"}} {
		o := cluster.Order{Run: someRun, Spec: &cluster.Spec{Outputs: outputs}}
		if m := newMachine(VM{}.Cluster, o, Image{}, Folder{}, ""); m.Outputs != (len(outputs) > 0) {
			t.Errorf("outputs %q: %v", outputs, m.Outputs)
		}
	}
}

func TestTheTaskHasTheImagesCommandUnlessTheJobNamesOne(t *testing.T) {
	o := cluster.Order{Run: someRun, Spec: &cluster.Spec{
		Tasks: 4, Args: []string{"x"}, Env: []cluster.Pair{{Key: "A", Value: "1"}}, Limits: cluster.Limits{LogBytes: 5},
	}}
	want := protocol.Task{Job: "j17", Index: 2, Count: 4, Run: 3, Command: []string{"/own"}, Args: []string{"x"},
		Env: map[string]string{"A": "1"}, LogBytes: 5}
	if diff := cmp.Diff(want, taskOf(VM{Run: o.Run}, o, Image{Command: []string{"/own"}})); diff != "" {
		t.Error(diff)
	}
	o.Spec.Command = []string{"/other"}
	if got := taskOf(VM{Run: o.Run}, o, Image{Command: []string{"/own"}}).Command[0]; got != "/other" {
		t.Errorf("runs %q", got)
	}
}

func TestImagesAreNamedByTheirDigest(t *testing.T) {
	digest := "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	if got, err := digestOf("busybox@sha256:" + digest); err != nil || got != digest {
		t.Errorf("%q, %v", got, err)
	}
	for _, reference := range []string{"", "busybox", "busybox@sha256:abc", "busybox@sha256:" + digest[:62] + "/.",
		"busybox@md5:" + digest} {
		if got, err := digestOf(reference); err == nil {
			t.Errorf("%q has the digest %q", reference, got)
		}
	}
}

func TestAnImageIsReadFromItsFolder(t *testing.T) {
	dir := t.TempDir()
	if _, err := ReadImage(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
	for name, content := range map[string]string{"kernel": "k", "cmdline": "quiet\n", "command": `["/bin/app","-v"]`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := Image{Kernel: filepath.Join(dir, "kernel"), Cmdline: "quiet", Command: []string{"/bin/app", "-v"}}
	if got, err := ReadImage(dir); err != nil || cmp.Diff(want, got) != "" {
		t.Errorf("%v %s", err, cmp.Diff(want, got))
	}
}

func TestAStoreIsProvenByWhatEveryNodeReads(t *testing.T) {
	dir, of := t.TempDir(), [16]byte{1}
	first, second := NewStore(dir, "n1", t.TempDir()).prove(of), NewStore(dir, "n2", t.TempDir()).prove(of)
	if !first.Proven || !second.Proven || first.Free <= 0 {
		t.Errorf("%+v and %+v", first, second)
	}
	if p := NewStore(dir, "n3", t.TempDir()).prove([16]byte{2}); p.Proven || p.err == nil {
		t.Errorf("another cluster's store: %+v", p)
	}
	if p := NewStore(filepath.Join(dir, "missing"), "n1", t.TempDir()).prove(of); p.Proven || p.Free >= 0 {
		t.Errorf("no store: %+v", p)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestAStoreThatIsNotThereIsReportedFromTheFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store")
	ctx, cancel := context.WithCancel(t.Context())
	var said []string
	NewStore(path, "n1", t.TempDir()).Watch(ctx, [16]byte{1}, func(p Proof, err error) {
		said = append(said, fmt.Sprint(p.Proven, err))
		cancel()
	})
	if len(said) != 1 || !strings.Contains(said[0], "false there is no folder "+path+": mount the store there") {
		t.Errorf("said %q", said)
	}
}

func TestAnOldProofProvesNothing(t *testing.T) {
	s := NewStore(t.TempDir(), "n1", t.TempDir())
	p := s.prove([16]byte{1})
	s.proof.Store(&p)
	if !s.Proof().Proven {
		t.Error("a fresh proof is not believed")
	}
	p.at -= proofLife + time.Second
	s.proof.Store(&p)
	if got := s.Proof(); got.Proven || got.Free >= 0 {
		t.Errorf("a store that has been silent: %+v", got)
	}
}

func TestAnEmptyFolderInPlaceOfTheStoreProvesNothingAndHidesNothing(t *testing.T) {
	parent, data, of := t.TempDir(), t.TempDir(), [16]byte{1}
	path, away := filepath.Join(parent, "store"), filepath.Join(parent, "away")
	mount := func(from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	s := NewStore(path, "n1", data)
	if f := s.lookUp(someRun); f.err == nil {
		t.Error("what a store has that was not proven yet is known")
	}
	if p := s.prove(of); !p.Proven {
		t.Fatal(p.err)
	}
	if f := s.lookUp(someRun); f.err != nil || f.guest.Begun {
		t.Errorf("the store has nothing of it: %+v", f)
	}
	mount(path, away)
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if f := s.lookUp(someRun); f.err == nil {
		t.Error("at once, before the next proof, an empty folder passes for the store")
	}
	for name, s := range map[string]*Store{"the same monitor": s, "the next one": NewStore(path, "n1", data)} {
		if p := s.prove(of); p.Proven || p.err == nil || !strings.Contains(p.err.Error(), "mount it") {
			t.Errorf("%s: %+v", name, p)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	mount(away, path)
	if p := s.prove(of); !p.Proven || s.lookUp(someRun).err != nil {
		t.Errorf("it is back: %+v", p)
	}
}
