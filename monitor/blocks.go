package monitor

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"aliquot/cluster"
	"aliquot/guest/protocol"
)

// A VM on Xen has its task and its streams on disks, which are files of the run's folder. The node copies what comes in
// on them to the files that everybody reads.

// MakeBlocks makes the disks of a new run, and a note for Expect that says nothing yet. The disks take only the space
// that is written to.
func (f Folder) MakeBlocks() error {
	document, err := f.content(f.Task())
	if err != nil {
		return fmt.Errorf("read the task: %w", err)
	}
	task, err := protocol.DecodeTask(document)
	if err != nil {
		return err
	}
	output := outputFactor*cluster.Bytes(task.OutputLimit()) + outputRest
	return f.enclosed(func(root *os.Root) error {
		if len(task.Outputs) > 0 {
			results := cluster.Bytes(protocol.MaxResultStream(task.ResultLimit()))
			if err := blockFile(root, f.within(f.ResultDisk()), nil, results, 0o644); err != nil {
				return err
			}
		}
		return errors.Join(
			blockFile(root, f.within(f.TaskDisk()), document, cluster.Bytes(len(document)), 0o600),
			blockFile(root, f.within(f.ControlDisk()), nil, maxControl, 0o644),
			blockFile(root, f.within(f.OutputDisk()), nil, output, 0o644),
			writeRegular(root, f.within(f.Expected()), nil, 0o644))
	})
}

// blockFile makes a disk that begins with the content and holds the size, with room for the heads of blocks.
func blockFile(root *os.Root, name string, content []byte, size cluster.Bytes, mode fs.FileMode) error {
	if err := writeRegular(root, name, content, mode); err != nil {
		return fmt.Errorf("make a disk: %w", err)
	}
	file, err := openRegular(root, name, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("make a disk: %w", err)
	}
	defer file.Close()
	if err := file.Truncate((int64(size)/protocol.BlockData + 1) * protocol.BlockSize); err != nil {
		return fmt.Errorf("make a disk: %w", err)
	}
	return nil
}

// OpenBlocks opens a disk of the run for a guest: the task to be read, the others to be written as well.
func (f Folder) OpenBlocks(path string) (file *os.File, err error) {
	flag := os.O_RDWR
	if path == f.TaskDisk() {
		flag = os.O_RDONLY
	}
	err = f.enclosed(func(root *os.Root) error {
		file, err = openRegular(root, f.within(path), flag, 0)
		return err
	})
	return file, err
}

// Blocks returns the disks of the run, by the names that the VM has for them.
func (f Folder) Blocks() (map[string]string, error) {
	disks := map[string]string{protocol.TaskDisk: f.TaskDisk(), protocol.ControlDisk: f.ControlDisk(),
		protocol.OutputDisk: f.OutputDisk()}
	file, err := f.open(f.ResultDisk())
	if errors.Is(err, fs.ErrNotExist) {
		return disks, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for a disk of the run: %w", err)
	}
	disks[protocol.ResultDisk] = f.ResultDisk()
	return disks, file.Close()
}

// CopyBlocks appends what has come in on the run's disks to its streams. A run without disks has nothing to copy.
func (f Folder) CopyBlocks() error {
	return errors.Join(f.copyBlocks(f.ControlDisk(), f.Control()), f.copyBlocks(f.OutputDisk(), f.Output()),
		f.copyBlocks(f.ResultDisk(), f.Results()))
}

func (f Folder) copyBlocks(from, to string) error {
	disk, err := f.open(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read a guest's disk: %w", err)
	}
	defer disk.Close()
	err = f.enclosed(func(root *os.Root) error {
		file, err := openRegular(root, f.within(to), os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		defer file.Close()
		have, err := file.Seek(0, io.SeekEnd)
		if err != nil {
			return err
		}
		_, err = protocol.CopyBlocks(file, disk, have)
		return err
	})
	if err != nil {
		return fmt.Errorf("copy a guest's stream: %w", err)
	}
	return nil
}

// Expect notes that the disks of the run are attached for the move on the node whose libvirt is at the URI.
func (f Folder) Expect(move cluster.MoveID, at string) error {
	return f.noteExpected(expectation(move, at))
}

// Unexpect takes the note back, unless another one has taken its place. The file stays: peers may have looked for it,
// and NFS remembers for a while that a file does not exist.
func (f Folder) Unexpect(move cluster.MoveID, at string) error {
	if expects, err := f.Expects(move, at); err != nil || !expects {
		return err
	}
	return f.noteExpected("")
}

// Expects reports whether the last note is of that move and URI.
func (f Folder) Expects(move cluster.MoveID, at string) (bool, error) {
	is, err := f.content(f.Expected())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("read where a VM is expected: %w", err)
	}
	return string(is) == expectation(move, at), nil
}

func expectation(move cluster.MoveID, at string) string { return fmt.Sprintf("%d %s\n", move, at) }

func (f Folder) noteExpected(what string) error {
	err := f.enclosed(func(root *os.Root) error { return writeRegular(root, f.within(f.Expected()), []byte(what), 0o644) })
	if err != nil {
		return fmt.Errorf("note that a VM is expected: %w", err)
	}
	return nil
}

// content returns the content of one of the run's small files.
func (f Folder) content(path string) ([]byte, error) {
	file, err := f.open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, protocol.MaxTaskBytes+1))
}
