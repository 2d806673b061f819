package main

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"aliquot/cluster"
	"aliquot/guest/protocol"
	"aliquot/monitor"
	"aliquot/monitor/libvirt"
)

// idle is the program of VMs that do nothing: let interrupts in, and halt. There are none.
var idle = []byte{0xfb, 0xf4, 0xeb, 0xfd}

// idleKernel returns a kernel that is idle, for Xen's PVH: entered where its note says, in 32 bits.
func idleKernel() []byte {
	const (
		at      = 1 << 20
		head    = 52 + 2*32
		entry   = 18 // XEN_ELFNOTE_PHYS32_ENTRY
		nothing = 4
	)
	note := append(binary.LittleEndian.AppendUint32(nil, nothing), 4, 0, 0, 0, entry, 0, 0, 0, 'X', 'e', 'n', 0)
	note = binary.LittleEndian.AppendUint32(note, at)
	var b bytes.Buffer
	for _, part := range []any{
		elf.Header32{Ident: [elf.EI_NIDENT]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS32), byte(elf.ELFDATA2LSB), 1},
			Type: uint16(elf.ET_EXEC), Machine: uint16(elf.EM_386), Version: 1, Entry: at, Phoff: 52, Ehsize: 52,
			Phentsize: 32, Phnum: 2},
		elf.Prog32{Type: uint32(elf.PT_LOAD), Off: head, Vaddr: at, Paddr: at, Filesz: uint32(len(idle)),
			Memsz: uint32(len(idle)), Flags: uint32(elf.PF_R | elf.PF_X)},
		elf.Prog32{Type: uint32(elf.PT_NOTE), Off: head + uint32(len(idle)), Filesz: uint32(len(note)),
			Flags: uint32(elf.PF_R)},
		idle, note,
	} {
		_ = binary.Write(&b, binary.LittleEndian, part)
	}
	return b.Bytes()
}

// crowded describes an idle VM without disks: Debian's scripts take seconds of an emulated processor to attach one.
const crowded = `<domain type="xen"><name>%s</name><uuid>%s</uuid><memory unit="MiB">4</memory><vcpu>1</vcpu>
<os><type arch="x86_64" machine="xenpvh">xenpvh</type><kernel>%s</kernel></os><on_crash>preserve</on_crash></domain>`

// crowd starts idle VMs whose runs have files as those of others, and prints the CPU time of dom0 for one round of a
// monitor's questions about them, in milliseconds: the monitor's, that of the programs it runs, and libvirt's.
func crowd(ctx context.Context, h *libvirt.Hypervisor, number string) error {
	count, err := strconv.Atoi(number)
	if err != nil {
		return err
	}
	const kernel = "/root/idle"
	if err := os.WriteFile(kernel, idleKernel(), 0o600); err != nil {
		return err
	}
	for i := range count {
		run := cluster.RunID{Job: cluster.JobID(100 + i), Number: 1}
		if err := join(ctx, monitor.VM{Cluster: of, Run: run}, kernel); err != nil {
			return fmt.Errorf("start VM %d: %w", i, err)
		}
	}
	cost, err := rounds(ctx, h, count)
	if err != nil {
		return err
	}
	return show(cost)
}

// join starts an idle VM.
func join(ctx context.Context, vm monitor.VM, kernel string) error {
	f := monitor.RunFolder(store, vm.Run)
	if err := f.Prepare(protocol.Task{Job: vm.Run.Job.String(), Count: 1, Run: 1, Command: []string{"true"}}); err != nil {
		return err
	}
	if err := f.MakeBlocks(); err != nil {
		return err
	}
	links := filepath.Join("/run/aliquot/disks", vm.UUID())
	if err := os.MkdirAll(links, 0o700); err != nil {
		return err
	}
	leads := map[string]string{"store": f.Root(), "folder": string(f.Folder), "name": vm.Name()}
	disks := map[string]string{protocol.ControlDisk: f.ControlDisk(), protocol.OutputDisk: f.OutputDisk()}
	for target, path := range disks {
		device, err := exec.CommandContext(ctx, "losetup", "--find", "--show", path).Output()
		if err != nil {
			return fmt.Errorf("losetup: %w", err)
		}
		leads[target] = strings.TrimSpace(string(device))
	}
	for name, to := range leads {
		if err := os.Symlink(to, filepath.Join(links, name)); err != nil {
			return err
		}
	}
	create := exec.CommandContext(ctx, "virsh", "create", "/dev/stdin")
	create.Stdin = strings.NewReader(fmt.Sprintf(crowded, vm.Name(), vm.UUID(), kernel))
	if out, err := create.CombinedOutput(); err != nil {
		return fmt.Errorf("virsh create: %w: %s", err, out)
	}
	return nil
}

// rounds returns the CPU times of some rounds, after a first one, in which the monitor learns what stays.
func rounds(ctx context.Context, h *libvirt.Hypervisor, count int) (cost []int64, err error) {
	for range 6 {
		before, err := spent()
		if err != nil {
			return nil, err
		}
		listing, err := h.List(ctx, of)
		if err != nil {
			return nil, err
		}
		if len(listing.Domains) != count {
			return nil, fmt.Errorf("%d VMs are listed, of %d", len(listing.Domains), count)
		}
		if _, err := h.Sample(ctx, of); err != nil {
			return nil, err
		}
		after, err := spent()
		if err != nil {
			return nil, err
		}
		cost = append(cost, (after - before).Milliseconds())
	}
	return cost[1:], nil
}

// tick is the unit of times in /proc.
const tick = time.Second / 100

// spent returns the CPU time so far of this process, its ended children, and libvirtd with its own.
func spent() (sum time.Duration, err error) {
	pid, err := os.ReadFile("/run/libvirt/libvirtd.pid")
	if err != nil {
		return 0, err
	}
	for _, process := range []string{"self", strings.TrimSpace(string(pid))} {
		stat, err := os.ReadFile(filepath.Join("/proc", process, "stat"))
		if err != nil {
			return 0, err
		}
		_, after, _ := strings.Cut(string(stat), ") ")
		for _, field := range strings.Fields(after)[11:15] {
			ticks, err := strconv.ParseInt(field, 10, 64)
			if err != nil {
				return 0, err
			}
			sum += time.Duration(ticks) * tick
		}
	}
	return sum, nil
}
