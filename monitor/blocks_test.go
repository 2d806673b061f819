package monitor

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"aliquot/cluster"
	"aliquot/guest/protocol"
)

// onDisks returns the folder of a new run whose VM has disks.
func onDisks(t *testing.T) Folder {
	t.Helper()
	f := RunFolder(t.TempDir(), cluster.RunID{Job: 1, Number: 1})
	if err := f.Prepare(protocol.Task{Count: 1, Run: 1, Command: []string{"true"}, LogBytes: 1 << 20}); err != nil {
		t.Fatal(err)
	}
	if err := f.MakeBlocks(); err != nil {
		t.Fatal(err)
	}
	return f
}

func writer(t *testing.T, f Folder, path string) *protocol.BlockWriter {
	t.Helper()
	file, err := f.OpenBlocks(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return protocol.NewBlockWriter(file)
}

func TestWhatAGuestWritesToItsDisksIsReadAsFromPorts(t *testing.T) {
	f := onDisks(t)
	control, output := writer(t, f, f.ControlDisk()), writer(t, f, f.OutputDisk())
	said := bytes.Repeat([]byte("0123456789"), 3000)
	hello := protocol.Hello{Version: protocol.Version}
	for _, m := range []protocol.Message{hello, protocol.Started{}, protocol.Exit{Code: 7}} {
		if err := protocol.WriteControl(control, m); err != nil {
			t.Fatal(err)
		}
		if err := protocol.WriteOutput(output, protocol.Chunk{Stream: protocol.Stdout, Data: said}); err != nil {
			t.Fatal(err)
		}
		if err := f.CopyBlocks(); err != nil {
			t.Fatal(err)
		}
	}
	guest, err := f.Read()
	if err != nil || !guest.Started || guest.Exit == nil || guest.Exit.Code != 7 {
		t.Errorf("%+v, %v", guest, err)
	}
	written, err := os.ReadFile(f.Output())
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, c := range new(protocol.OutputDecoder).Feed(written) {
		all = append(all, c.Data...)
	}
	if !bytes.Equal(all, bytes.Repeat(said, 3)) {
		t.Errorf("%d bytes of output, want %d", len(all), 3*len(said))
	}
}

func TestResultsComeOnADiskOfTheirOwn(t *testing.T) {
	f := RunFolder(t.TempDir(), cluster.RunID{Job: 1, Number: 1})
	task := protocol.Task{Count: 1, Run: 1, Command: []string{"true"}, Outputs: []string{"out"}, ResultBytes: 1 << 20}
	if err := errors.Join(f.Prepare(task), f.MakeBlocks()); err != nil {
		t.Fatal(err)
	}
	if disks, err := f.Blocks(); disks[protocol.ResultDisk] != f.ResultDisk() || len(disks) != 4 {
		t.Errorf("its disks are %v, %v", disks, err)
	}
	plain := onDisks(t)
	if disks, err := plain.Blocks(); err != nil || len(disks) != 3 {
		t.Errorf("the disks of a task without outputs are %v, %v", disks, err)
	}
	if err := os.Mkdir(plain.ResultDisk(), 0o700); err != nil {
		t.Fatal(err)
	}
	if disks, err := plain.Blocks(); err == nil {
		t.Errorf("where a disk is none, they are %v", disks)
	}
	results := protocol.NewResultWriter(writer(t, f, f.ResultDisk()), task.ResultBytes)
	content := bytes.Repeat([]byte("0123456789abcdef"), 1<<16) // as much as it may be
	if err := errors.Join(results.File("out", int64(len(content)), bytes.NewReader(content)), results.Done()); err != nil {
		t.Fatal(err)
	}
	if err := f.CopyBlocks(); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(f.Results())
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	got, err := protocol.ReadResults(file, info.Size())
	if err != nil || len(got.Files) != 1 || got.Files[0].Size != int64(len(content)) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestATasksDiskHoldsTheTaskInWholeBlocks(t *testing.T) {
	f := onDisks(t)
	disk, err := os.ReadFile(f.TaskDisk())
	if err != nil || len(disk)%protocol.BlockSize != 0 {
		t.Fatalf("%d bytes, %v", len(disk), err)
	}
	if task, err := protocol.DecodeTask(bytes.TrimRight(disk, "\x00")); err != nil || task.LogBytes != 1<<20 {
		t.Errorf("%+v, %v", task, err)
	}
	if file, err := f.OpenBlocks(f.TaskDisk()); err != nil {
		t.Error(err)
	} else if _, err := file.Write([]byte("x")); err == nil {
		t.Error("a guest could write its task")
	}
}

func TestOfARunWithoutDisksNothingIsCopied(t *testing.T) {
	f := RunFolder(t.TempDir(), cluster.RunID{Job: 1, Number: 1})
	if err := f.CopyBlocks(); err != nil {
		t.Error(err)
	}
}

func TestAVMIsExpectedForOneMoveAtOnePlaceUntilThatIsTakenBack(t *testing.T) {
	f := onDisks(t)
	if note, err := os.ReadFile(f.Expected()); err != nil || len(note) != 0 {
		t.Errorf("of a new run: %q, %v", note, err)
	}
	expects := func(move cluster.MoveID, at string) bool {
		t.Helper()
		is, err := f.Expects(move, at)
		if err != nil {
			t.Fatal(err)
		}
		return is
	}
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ok(f.Expect(5, "xen+tls://n2/system"))
	if !expects(5, "xen+tls://n2/system") || expects(6, "xen+tls://n2/system") || expects(5, "xen+tls://n3/system") {
		t.Error("the note is not of its move and place alone")
	}
	ok(f.Expect(6, "xen+tls://n2/system"))
	ok(f.Unexpect(5, "xen+tls://n2/system")) // late
	if !expects(6, "xen+tls://n2/system") {
		t.Error("the end of an earlier move took the note of the next one away")
	}
	ok(f.Unexpect(6, "xen+tls://n2/system"))
	if note, err := os.ReadFile(f.Expected()); err != nil || len(note) != 0 {
		t.Errorf("taken back: %q, %v", note, err)
	}
}
