package libvirt

import (
	"context"
	"fmt"

	"libvirt.org/go/libvirt"

	"aliquot/monitor"
)

// mostIdle is the number of connections kept for later calls.
const mostIdle = 4

// on runs f with a connection and returns when f does or ctx ends. In the latter case f keeps running
// until libvirt answers or the keepalive closes the connection.
//
// No two calls share a connection: up to libvirt 10.2 a client that is closed while two
// threads wait for answers may use freed memory (CVE-2024-4418).
func (h *Hypervisor) on(ctx context.Context, f func(*libvirt.Connect) error) error {
	if !h.isUp() {
		return errDown
	}
	return patient(ctx, func() error {
		c, epoch, err := h.borrow()
		if err != nil {
			return err
		}
		defer h.giveBack(c, epoch)
		return f(c)
	})
}

func (h *Hypervisor) isUp() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-h.up:
		return true
	default:
		return false
	}
}

// borrow takes an idle connection or opens one.
func (h *Hypervisor) borrow() (*libvirt.Connect, int, error) {
	h.mu.Lock()
	epoch := h.epoch
	if last := len(h.idle) - 1; last >= 0 {
		c := h.idle[last]
		h.idle = h.idle[:last]
		h.mu.Unlock()
		return c, epoch, nil
	}
	h.mu.Unlock()
	c, err := libvirt.NewConnect(h.config.URI)
	if err != nil {
		return nil, 0, fmt.Errorf("connect: %w", err)
	}
	if err := c.SetKeepAlive(keepaliveInterval, keepaliveCount); err != nil {
		c.Close()
		return nil, 0, fmt.Errorf("keep the connection alive: %w", err)
	}
	return c, epoch, nil
}

func (h *Hypervisor) giveBack(c *libvirt.Connect, epoch int) {
	alive, err := c.IsAlive()
	h.mu.Lock()
	keep := err == nil && alive && epoch == h.epoch && len(h.idle) < mostIdle
	if keep {
		h.idle = append(h.idle, c)
	}
	h.mu.Unlock()
	if !keep {
		c.Close()
	}
}

// patient runs f and returns when f does or ctx ends.
func patient(ctx context.Context, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("libvirt did not answer in time: %w", ctx.Err())
	}
}

// domain runs f with the VM's domain.
func (h *Hypervisor) domain(ctx context.Context, vm monitor.VM, f func(*libvirt.Domain) error) error {
	return h.on(ctx, func(c *libvirt.Connect) error {
		d, err := c.LookupDomainByUUIDString(vm.UUID())
		if err != nil {
			return err
		}
		defer d.Free()
		return f(d)
	})
}
