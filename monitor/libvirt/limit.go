package libvirt

import (
	"context"
	_ "embed"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// limitCommands are those of tc by which libvirt limits a card, for a network device that every namespace has.
//
//go:embed limit.tc
var limitCommands string

// limitTime bounds the trial of a limit. tc takes milliseconds, and longer if the kernel has to load modules.
const limitTime = 10 * time.Second

// limits reports whether the kernel can limit the cards of VMs, which takes parts of it that not all have.
func (h *Hypervisor) limits(ctx context.Context) bool {
	err := tryLimit(ctx, limitCommands)
	if err != nil {
		h.config.Log.Info().Err(err).Msg("the kernel cannot limit network cards; while the network has a bandwidth " +
			"(aliquot network set --bandwidth), this node takes no more VMs with a network until its monitor is started with one " +
			"that can: it needs sch_htb, sch_sfq, sch_ingress, cls_fw, cls_u32, act_police and the program tc")
	}
	return err == nil
}

// tryLimit has tc carry out the commands in a network namespace of its own, which ends with it.
func tryLimit(ctx context.Context, commands string) error {
	ctx, cancel := context.WithTimeout(ctx, limitTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "tc", "-batch", "-")
	cmd.Stdin = strings.NewReader(commands)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("tc: %w: %s", err, strings.Join(strings.Fields(string(out)), " "))
	}
	return nil
}
