package libvirt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sys/unix"

	"aliquot/guest/protocol"
	"aliquot/monitor"
)

// disks are the disks of VMs on Xen: files of the runs, behind loop devices, behind links with names that last. A loop
// device goes with its last user.
type disks struct {
	root string // see attached
	sys  string // the kernel's block devices
	log  zerolog.Logger

	mu      sync.Mutex
	making  map[string]int         // UUIDs of VMs that are being made or expected, to how often
	makings int                    // how many have ended, also in failure
	made    map[string]int         // UUIDs of VMs to the number of their last making that has ended
	copying map[string]bool        // UUIDs of VMs whose streams are being copied
	linking map[string]*sync.Mutex // by UUID; held while disks are attached or detached
	copied  map[string]copied      // UUIDs of active VMs to the last copy of their streams
}

func newDisks(root string, log zerolog.Logger) *disks {
	return &disks{root: root, sys: "/sys/block", log: log, making: map[string]int{}, made: map[string]int{},
		copying: map[string]bool{}, linking: map[string]*sync.Mutex{}, copied: map[string]copied{}}
}

// attach attaches the disks of a VM. They stay attached until release is called, and then for as long as the VM exists.
// The links of the VM lead to what was attached last. An earlier call that was given up may still wait for the store.
func (ds *disks) attach(vm monitor.VM, f monitor.Folder) (release func(), err error) {
	id := vm.UUID()
	ds.begin(id)
	defer ds.lock(id)()
	var devices []*os.File
	detach := func() {
		for _, d := range devices {
			ds.detach(id, d)
		}
		ds.end(id)
	}
	blocks, err := f.Blocks()
	if err != nil {
		detach()
		return nil, err
	}
	ds.unlink(id, blocks)
	for target, path := range blocks {
		device, err := ds.loop(f, path)
		if err != nil {
			detach()
			return nil, fmt.Errorf("attach %s: %w", path, err)
		}
		devices = append(devices, device)
		if err := ds.link(id, target, device.Name()); err != nil {
			detach()
			return nil, fmt.Errorf("attach %s: %w", path, err)
		}
	}
	for name, to := range map[string]string{
		"store": f.Root(), "folder": string(f.Folder), "name": vm.Name(),
	} {
		if err := ds.link(id, name, to); err != nil {
			detach()
			return nil, fmt.Errorf("note the disks of a VM: %w", err)
		}
	}
	return func() {
		defer ds.lock(id)()
		detach()
	}, nil
}

// targets are the disks that a VM may have.
var targets = []string{protocol.TaskDisk, protocol.ControlDisk, protocol.OutputDisk, protocol.ResultDisk}

// unlink removes the links to disks that the VM does not have. Their devices may be another VM's by now.
func (ds *disks) unlink(id string, has map[string]string) {
	for _, target := range targets {
		if _, is := has[target]; !is {
			os.Remove(filepath.Join(ds.root, id, target))
		}
	}
}

// lock waits until nobody else attaches or detaches disks of the VM.
func (ds *disks) lock(id string) (unlock func()) {
	ds.mu.Lock()
	if ds.linking[id] == nil {
		ds.linking[id] = &sync.Mutex{}
	}
	linking := ds.linking[id]
	ds.mu.Unlock()
	linking.Lock()
	return linking.Unlock
}

// detach closes a device. A link to one that nobody else has open goes as well: the next VM may get the device.
func (ds *disks) detach(id string, device *os.File) {
	device.Close()
	if attachedLoop(device.Name()) {
		return
	}
	for _, target := range targets {
		if ds.target(id, target) == device.Name() {
			os.Remove(filepath.Join(ds.root, id, target))
		}
	}
}

// attachedLoop reports whether a loop device has a file.
func attachedLoop(device string) bool {
	_, err := os.Stat(filepath.Join("/sys/block", filepath.Base(device), "loop"))
	return err == nil
}

// begin notes that a VM is being made or expected, until end is called as often.
func (ds *disks) begin(id string) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	ds.making[id]++
	delete(ds.copied, id)
}

func (ds *disks) end(id string) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if ds.making[id]--; ds.making[id] == 0 {
		delete(ds.making, id)
	}
	ds.makings++
	ds.made[id] = ds.makings
}

// link makes or replaces a link of the VM.
func (ds *disks) link(id, name, to string) error {
	at := filepath.Join(ds.root, id, name)
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		return err
	}
	if err := os.Remove(at); err != nil && !os.IsNotExist(err) {
		return err
	}
	return os.Symlink(to, at)
}

// mostLoops is how often another process may take the loop device that was free.
const mostLoops = 100

// loop attaches a file to a loop device, which is detached when nobody has it open any more.
func (ds *disks) loop(f monitor.Folder, path string) (*os.File, error) {
	file, err := f.OpenBlocks(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	control, err := os.OpenFile("/dev/loop-control", os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("is the kernel's module loop there? %w", err)
	}
	defer control.Close()
	config := unix.LoopConfig{Fd: uint32(file.Fd())}
	config.Info.Flags = unix.LO_FLAGS_AUTOCLEAR
	if path == f.TaskDisk() {
		config.Info.Flags |= unix.LO_FLAGS_READ_ONLY
	}
	for range mostLoops {
		device, err := configured(int(control.Fd()), config)
		if !errors.Is(err, unix.EBUSY) {
			return device, err
		}
	}
	return nil, errors.New("no loop device stays free")
}

func configured(control int, config unix.LoopConfig) (*os.File, error) {
	number, err := unix.IoctlRetInt(control, unix.LOOP_CTL_GET_FREE)
	if err != nil {
		return nil, fmt.Errorf("find a free loop device: %w", err)
	}
	device, err := os.OpenFile(fmt.Sprintf("/dev/loop%d", number), os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.IoctlLoopConfigure(int(device.Fd()), &config); err != nil {
		device.Close()
		return nil, fmt.Errorf("set up a loop device: %w", err)
	}
	return device, nil
}

// collect is called before a listing. With what the listing has found, the returned function copies what guests have
// written to their disks to the streams of their runs, also of VMs that ended since the last time, which are then
// forgotten. It returns VMs that are not active, but could not be forgotten.
func (ds *disks) collect(of [16]byte) collector {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	since := ds.makings
	return func(ctx context.Context, active map[string]bool) []monitor.VM {
		return ds.collectSince(ctx, of, active, since)
	}
}

// collectSince collects after a listing that began when that number of makings had ended.
func (ds *disks) collectSince(ctx context.Context, of [16]byte, active map[string]bool, since int) (left []monitor.VM) {
	entries, _ := os.ReadDir(ds.root)
	for _, e := range entries {
		id := e.Name()
		vm, err := monitor.ParseVM(of, ds.target(id, "name"), id)
		if err != nil {
			continue
		}
		err = ds.copy(ctx, id, active[id])
		if err != nil {
			ds.log.Warn().Err(err).Stringer("run", vm.Run).Msg("cannot read what a guest has written; trying again")
		}
		switch {
		case active[id] || ds.isMade(id):
		case err != nil:
			left = append(left, vm)
		default:
			ds.forget(id, since)
		}
	}
	return left
}

func (ds *disks) isMade(id string) bool {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	return ds.making[id] > 0
}

// forget removes the links of a VM, unless it is or was made while the listing went on, which then could not find it.
func (ds *disks) forget(id string, since int) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if ds.making[id] == 0 && ds.made[id] <= since {
		delete(ds.made, id)
		delete(ds.linking, id)
		delete(ds.copied, id)
		os.RemoveAll(filepath.Join(ds.root, id))
	}
}

// folder returns the folder of the run of a VM.
func (ds *disks) folder(id string) monitor.Folder {
	return monitor.FolderAt(ds.target(id, "store"), ds.target(id, "folder"))
}

// target returns what a link of the VM leads to; "" if it has none.
func (ds *disks) target(id, name string) string {
	to, _ := os.Readlink(filepath.Join(ds.root, id, name))
	return to
}

// errBusy is the error for a VM whose streams an earlier call still copies, because the store does not answer.
var errBusy = errors.New("the store has not answered yet")

// copied is a copy of a VM's streams.
type copied struct {
	writes string // see writes, before
	at     time.Time
}

// mostSkipped is for how long the streams of a VM are not looked at because nothing counts as written.
const mostSkipped = 30 * time.Second

// copy copies the streams of a VM, unless it is active and has written nothing since they were last copied. It does not
// wait longer than ctx for the store.
func (ds *disks) copy(ctx context.Context, id string, active bool) error {
	now := copied{ds.writes(id), time.Now()}
	last := ds.lastCopied(id)
	if active && now.writes != "" && now.writes == last.writes && now.at.Sub(last.at) < mostSkipped {
		return nil
	}
	if !ds.enter(id) {
		return errBusy
	}
	f := ds.folder(id)
	return patient(ctx, func() error {
		defer ds.leave(id)
		err := f.CopyBlocks()
		if err == nil && active { // others may write on another node
			ds.noteCopied(id, now)
		}
		return err
	})
}

// writes returns how often guests have written to the devices that the VM's streams are on, as the kernel counts it
// when the data has arrived; "" if that is not known.
func (ds *disks) writes(id string) (counts string) {
	for _, target := range []string{protocol.ControlDisk, protocol.OutputDisk, protocol.ResultDisk} {
		device := ds.target(id, target)
		if device == "" && target == protocol.ResultDisk { // not every VM has one
			continue
		}
		stat, err := os.ReadFile(filepath.Join(ds.sys, filepath.Base(device), "stat"))
		field := strings.Fields(string(stat))
		const written = 4 // writes completed; see the kernel's Documentation/block/stat.rst
		if err != nil || len(field) <= written {
			return ""
		}
		counts += device + " " + field[written] + "\n"
	}
	return counts
}

func (ds *disks) lastCopied(id string) copied {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	return ds.copied[id]
}

func (ds *disks) noteCopied(id string, now copied) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	ds.copied[id] = now
}

// enter reports whether nobody else copies the streams of the VM.
func (ds *disks) enter(id string) bool {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if ds.copying[id] {
		return false
	}
	ds.copying[id] = true
	return true
}

func (ds *disks) leave(id string) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	delete(ds.copying, id)
}
