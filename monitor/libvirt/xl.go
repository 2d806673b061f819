package libvirt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"aliquot/cluster"
	"aliquot/monitor"
)

// xlDomain is a domain as Xen itself has it, which the program xl shows, whatever state libvirt is in.
type xlDomain struct {
	id     int
	name   string
	uuid   string
	memory cluster.Bytes
	paused bool // Xen counts pauses; it runs on when all of them are undone
	runs   bool // it is not paused, shut down, crashed or dying
	ran    bool // its vCPUs have used CPU time
}

// xl runs the program xl.
func xl(ctx context.Context, args ...string) ([]byte, error) {
	var failed bytes.Buffer
	cmd := exec.CommandContext(ctx, "xl", args...)
	cmd.Stderr = &failed
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("xl %s: %w: %s", strings.Join(args, " "), err, bytes.TrimSpace(failed.Bytes()))
	}
	return out, nil
}

// XenURI is that of the libvirt of a dom0.
const XenURI = "xen:///system"

const qemuURI = "qemu:///system"

// LocalURI returns the URI of this machine's libvirt: XenURI in a dom0 of Xen, which the kernel tells from boot on.
func LocalURI() (string, error) { return localURI("/sys/hypervisor") }

// dom0 is the bit of Xen's features that only a dom0 has: XENFEAT_dom0 in Xen's public/features.h.
const dom0 = 1 << 11

// localURI fails rather than take a dom0 for a machine without Xen: a fence would control nothing there.
func localURI(hypervisor string) (string, error) {
	kind, err := os.ReadFile(filepath.Join(hypervisor, "type"))
	if errors.Is(err, fs.ErrNotExist) || err == nil && strings.TrimSpace(string(kind)) != "xen" {
		return qemuURI, nil
	}
	var features uint64
	if err == nil {
		features, err = featuresXen(filepath.Join(hypervisor, "properties", "features"))
	}
	switch {
	case err != nil:
		return "", fmt.Errorf("find out whether this machine is a dom0 of Xen, or set uri: %w", err)
	case features&dom0 == 0: // a guest of Xen
		return qemuURI, nil
	}
	return XenURI, nil
}

func featuresXen(path string) (uint64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	return strconv.ParseUint(strings.TrimSpace(string(text)), 16, 64)
}

// mostAsked is how long `xl info` may take. It waits for xenstored.
const mostAsked = 15 * time.Second

// MachineXen returns the processors and the memory of the whole machine on which Xen runs.
func MachineXen(ctx context.Context) (cluster.Offer, error) {
	ctx, cancel := context.WithTimeout(ctx, mostAsked)
	defer cancel()
	info, err := xl(ctx, "info")
	if errors.Is(err, exec.ErrNotFound) {
		return cluster.Offer{}, fmt.Errorf("find out what Xen has: install xen-utils: %w", err)
	}
	if err != nil {
		return cluster.Offer{}, fmt.Errorf("find out what Xen has: %w", err)
	}
	return machineXL(string(info))
}

// amountXL matches the lines of `xl info` about processors and memory.
var amountXL = regexp.MustCompile(`(?m)^(nr_cpus|total_memory)\s*: *(\d+)$`)

// machineXL reads what `xl info` says of the machine. Memory is in MiB there.
func machineXL(info string) (cluster.Offer, error) {
	amounts := map[string]int64{}
	for _, line := range amountXL.FindAllStringSubmatch(info, -1) {
		amount, err := strconv.ParseInt(line[2], 10, 32)
		if err != nil {
			return cluster.Offer{}, fmt.Errorf("read what xl says of the machine: %w", err)
		}
		amounts[line[1]] = amount
	}
	have := cluster.Offer{CPU: cluster.CPU(amounts["nr_cpus"]) * cluster.Core,
		Memory: cluster.Bytes(amounts["total_memory"]) * cluster.MiB}
	if have.CPU == 0 || have.Memory == 0 {
		return have, errors.New("xl info does not tell the processors and the memory of the machine: set cpu and memory")
	}
	return have, nil
}

// xlDomains lists all domains of the machine.
func xlDomains(ctx context.Context) ([]xlDomain, error) {
	out, err := xl(ctx, "list", "-v")
	if err != nil {
		return nil, err
	}
	return parseXL(out)
}

// lineXL matches a line of `xl list -v`: name, ID, memory in MiB, vCPUs, state, seconds and UUID. Names of others may
// hold spaces, and all that such a line holds.
var lineXL = regexp.MustCompile(`^(.*)\s(\d{1,9})\s+(\d{1,9})\s+\d+\s+(\S+)\s+([\d.]+)\s+` +
	`([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\s|$)`)

// parseXL reads the lines after the heading.
func parseXL(out []byte) (all []xlDomain, err error) {
	for i, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		if i == 0 {
			continue
		}
		field := lineXL.FindStringSubmatch(line)
		if field == nil {
			return nil, fmt.Errorf("read what xl lists: %q", line)
		}
		id, _ := strconv.Atoi(field[2]) // the expression allows nothing but numbers
		memory, _ := strconv.Atoi(field[3])
		all = append(all, xlDomain{id: id, name: strings.TrimSpace(field[1]), uuid: field[6],
			memory: cluster.Bytes(memory) * cluster.MiB, paused: strings.Contains(field[4], "p"),
			runs: !strings.ContainsAny(field[4], "pscd"), ran: strings.Trim(field[5], "0.") != ""})
	}
	return all, nil
}

// FirmXen controls VMs on Xen through the program xl, whatever state libvirt is in.
type FirmXen struct{}

// Freeze pauses the VMs of the cluster that are not paused.
func (FirmXen) Freeze(ctx context.Context, of [16]byte) error {
	return eachXL(ctx, of, func(d xlDomain) error {
		if d.paused {
			return nil
		}
		_, err := xl(ctx, "pause", strconv.Itoa(d.id))
		return err
	})
}

// Destroy ends all VMs of the cluster.
func (FirmXen) Destroy(ctx context.Context, of [16]byte) error {
	return eachXL(ctx, of, func(d xlDomain) error {
		_, err := xl(ctx, "destroy", strconv.Itoa(d.id))
		return err
	})
}

// Try lists the VMs of the cluster.
func (FirmXen) Try(ctx context.Context, of [16]byte) error {
	return eachXL(ctx, of, func(xlDomain) error { return nil })
}

func eachXL(ctx context.Context, of [16]byte, do func(xlDomain) error) error {
	all, err := xlDomains(ctx)
	if err != nil {
		return fmt.Errorf("find the cluster's VMs: %w", err)
	}
	var failed []error
	for _, d := range all {
		if _, err := monitor.ParseVM(of, d.name, d.uuid); err == nil {
			failed = append(failed, do(d))
		}
	}
	return errors.Join(failed...)
}

// pausedXL returns the domains that Xen has paused, by UUID.
func pausedXL(ctx context.Context) (map[string]int, error) {
	all, err := xlDomains(ctx)
	return pausedIn(all), err
}

func pausedIn(all []xlDomain) map[string]int {
	paused := map[string]int{}
	for _, d := range all {
		if d.paused {
			paused[d.uuid] = d.id
		}
	}
	return paused
}

// mostPauses is more than the monitor and the fence together ask for.
const mostPauses = 4

// unpauseXL undoes all pauses of a domain.
func unpauseXL(ctx context.Context, uuid string) error {
	for undone := 0; ; undone++ {
		paused, err := pausedXL(ctx)
		id, is := paused[uuid]
		if err != nil || !is {
			return err
		}
		if undone == mostPauses {
			return errors.New("the domain stays paused in Xen")
		}
		if _, err := xl(ctx, "unpause", strconv.Itoa(id)); err != nil {
			return err
		}
	}
}
