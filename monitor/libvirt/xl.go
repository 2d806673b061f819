package libvirt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"

	"aliquot/monitor"
)

// xlDomain is a domain as Xen itself has it, which the program xl shows, whatever state libvirt is in.
type xlDomain struct {
	id     int
	name   string
	uuid   string
	paused bool // Xen counts pauses; it runs on when all of them are undone
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

// xlDomains lists all domains of the machine.
func xlDomains(ctx context.Context) ([]xlDomain, error) {
	out, err := xl(ctx, "list", "-v")
	if err != nil {
		return nil, err
	}
	return parseXL(out)
}

// Fields of a line of `xl list -v`.
const (
	xlName  = 0
	xlID    = 1
	xlState = 4
	xlUUID  = 6
)

// parseXL reads the lines after the heading.
func parseXL(out []byte) (all []xlDomain, err error) {
	for i, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		field := strings.Fields(line)
		if i == 0 {
			continue
		}
		if len(field) <= xlUUID {
			return nil, fmt.Errorf("read what xl lists: %q", line)
		}
		id, err := strconv.Atoi(field[xlID])
		if err != nil {
			return nil, fmt.Errorf("read what xl lists: %w", err)
		}
		all = append(all, xlDomain{id, field[xlName], field[xlUUID], strings.Contains(field[xlState], "p")})
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
	paused := map[string]int{}
	for _, d := range all {
		if d.paused {
			paused[d.uuid] = d.id
		}
	}
	return paused, err
}
