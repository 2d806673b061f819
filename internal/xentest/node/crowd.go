package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"aliquot/cluster"
	"aliquot/guest/protocol"
	"aliquot/monitor"
	"aliquot/monitor/libvirt"
)

// crowdFrom is the job of the first VM of a crowd.
const crowdFrom = 1000

// least is the memory of a VM of a crowd.
const least = 4 * cluster.MiB

// crowd makes that many VMs, which stay paused. Their kernel is the smallest that Xen takes.
func crowd(ctx context.Context, h *libvirt.Hypervisor, number string) error {
	count, err := strconv.Atoi(number)
	if err != nil {
		return err
	}
	kernel := filepath.Join(os.TempDir(), "smallest")
	if err := os.WriteFile(kernel, smallest(), 0o600); err != nil {
		return err
	}
	for i := range count {
		m, err := machineOf(strconv.Itoa(crowdFrom + i))
		if err != nil {
			return err
		}
		m.Image = monitor.Image{Kernel: kernel, Initrd: kernel}
		m.Memory = least - cluster.GuestSystem
		if err := m.Folder.Prepare(protocol.Task{Job: "j", Count: 1, Run: 1, Command: []string{"true"}}); err != nil {
			return err
		}
		if err := h.Create(ctx, m); err != nil {
			return fmt.Errorf("VM %d: %w", i, err)
		}
	}
	return nil
}

// smallest returns a kernel for PVH that halts: a header, its two program headers, Xen's note with the entry, the code.
func smallest() []byte {
	const at, head, noted = 0x100000, 52 + 2*32, 20
	le := binary.LittleEndian
	b := append([]byte("\x7fELF\x01\x01\x01"), make([]byte, 9)...)
	b = le.AppendUint16(le.AppendUint16(b, 2), 3) // an executable for 386
	for _, v := range []uint32{1, at + head + noted, 52, 0, 0} {
		b = le.AppendUint32(b, v)
	}
	for _, v := range []uint16{52, 32, 2, 0, 0, 0} {
		b = le.AppendUint16(b, v)
	}
	code := []byte{0xf4, 0xeb, 0xfd} // hlt, and again
	size := uint32(head + noted + len(code))
	for _, v := range []uint32{
		1, 0, at, at, size, size, 5, 0x1000, // all is loaded
		4, head, at + head, at + head, noted, noted, 4, 4, // the note
		4, 4, 18, 0x006e6558, at + head + noted, // "Xen", the entry
	} {
		b = le.AppendUint32(b, v)
	}
	return append(b, code...)
}

// rounds is how many rounds are measured.
const rounds = 5

// round prints the CPU time of a status round, in milliseconds: of the monitor with its programs, and of libvirtd.
func round(ctx context.Context, h *libvirt.Hypervisor) error {
	var own, daemon time.Duration
	for i := range rounds + 1 { // the first looks at the descriptions of all VMs
		ownBefore, daemonBefore := spentHere(), spentByLibvirtd()
		if _, err := h.List(ctx, of); err != nil {
			return err
		}
		if _, err := h.Sample(ctx, of); err != nil {
			return err
		}
		if i > 0 {
			own, daemon = own+spentHere()-ownBefore, daemon+spentByLibvirtd()-daemonBefore
		}
	}
	return show(map[string]int64{"monitor": (own / rounds).Milliseconds(), "libvirtd": (daemon / rounds).Milliseconds()})
}

// spentHere returns the CPU time of this process and of the programs that it ran.
func spentHere() (all time.Duration) {
	for _, who := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var u unix.Rusage
		if unix.Getrusage(who, &u) == nil {
			all += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return all
}

// tick is the unit of CPU time in /proc.
const tick = 10 * time.Millisecond

func spentByLibvirtd() (all time.Duration) {
	pid, _ := os.ReadFile("/run/libvirt/libvirtd.pid")
	stat, _ := os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/stat")
	fields := strings.Fields(string(stat))
	for _, i := range []int{13, 14} {
		if i < len(fields) {
			n, _ := strconv.Atoi(fields[i])
			all += time.Duration(n) * tick
		}
	}
	return all
}
