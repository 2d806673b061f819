// Command node does one thing to the VMs of the Xen host on which it runs, as the monitor would, and prints what the
// hypervisor says. Package xentest runs it in dom0.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/guest/protocol"
	"aliquot/monitor"
	"aliquot/monitor/libvirt"
	"aliquot/monitor/reconcile"
)

const (
	store  = "/var/lib/aliquot/store"
	images = "/var/lib/aliquot/images"
)

var of = [16]byte{'x', 'e', 'n'}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if err := run(ctx, os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "node:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, verb string, args []string) error {
	name, err := os.Hostname()
	if err != nil {
		return err
	}
	h, err := libvirt.Open(libvirt.Config{URI: "xen:///system", MigrateURI: uriOf(name), PlainTCP: true,
		Log: zerolog.New(os.Stderr)})
	if err != nil {
		return err
	}
	defer h.Close()
	platform, err := h.Describe(ctx)
	if err != nil {
		return err
	}
	if verb == "describe" {
		return show(platform)
	}
	switch verb {
	case "list":
		return list(ctx, h)
	case "use":
		return use(ctx, h)
	case "fence":
		return libvirt.FirmXen{}.Freeze(ctx, of)
	case "end":
		return libvirt.FirmXen{}.Destroy(ctx, of)
	}
	if verb == "crowd" {
		return crowd(ctx, h, args[0])
	}
	m, err := machineOf(args[0])
	if err != nil {
		return err
	}
	if verb == "start" || verb == "share" || verb == "restore" || verb == "arrive" {
		if m.Cap, m.Tier, err = shareOf(args[1], args[2]); err != nil {
			return err
		}
	}
	f := m.Folder
	switch verb {
	case "start":
		return start(ctx, h, m, args[3:])
	case "share":
		return h.SetShare(ctx, m.VM, m.Cap, m.Tier, 0)
	case "until":
		return until(ctx, h, m, args[1], args[2])
	case "save":
		return errors.Join(h.Save(ctx, m.VM, f.Saved()), h.Verify(ctx, m.VM, f.Saved()))
	case "restore":
		return errors.Join(h.Restore(ctx, m, f.Saved()), thaw(ctx, h, m))
	case "migrate":
		return h.Migrate(ctx, m.VM, 1, uriOf(args[1]), m.Cap, m.Tier)
	case "arrive":
		return arrive(ctx, h, m, uriOf(args[3]))
	case "thaw":
		return h.Thaw(ctx, m.VM)
	case "destroy":
		return h.Destroy(ctx, m.VM)
	}
	return fmt.Errorf("no verb %s", verb)
}

// machineOf returns the machine of a job's only task.
func machineOf(number string) (m monitor.Machine, err error) {
	job, err := strconv.Atoi(number)
	if err != nil {
		return m, err
	}
	run := cluster.RunID{Job: cluster.JobID(job), Number: 1}
	m = monitor.Machine{VM: monitor.VM{Cluster: of, Run: run}, VCPUs: 1, Memory: 64 * cluster.MiB,
		Folder: monitor.RunFolder(store, run)}
	m.Image, err = monitor.ReadImage(images)
	return m, err
}

func shareOf(millicores, tier string) (cluster.CPU, cluster.Tier, error) {
	cap, err := strconv.Atoi(millicores)
	if tier == "background" {
		return cluster.CPU(cap), cluster.Background, err
	}
	return cluster.CPU(cap), cluster.Foreground, err
}

func start(ctx context.Context, h *libvirt.Hypervisor, m monitor.Machine, command []string) error {
	task := protocol.Task{Job: m.VM.Run.Job.String(), Count: 1, Run: 1, Command: command}
	if err := m.Folder.Prepare(task); err != nil {
		return err
	}
	if err := h.Create(ctx, m); err != nil {
		return err
	}
	return h.Thaw(ctx, m.VM)
}

// uriOf returns the URI of a node's libvirt.
func uriOf(node string) string { return "xen+tcp://" + node + "/system" }

// arrive receives a VM from a peer, as reconcile.Step would, and prints what it uses then.
func arrive(ctx context.Context, h *libvirt.Hypervisor, m monitor.Machine, from string) error {
	release, err := h.Expect(ctx, m.VM, 1, m.Folder)
	if err != nil {
		return err
	}
	defer release()
	err = untilTrue(ctx, func() (bool, error) {
		listing, err := h.List(ctx, of)
		d := listing.Domains[m.VM.Run]
		return d.State == reconcile.Frozen && !d.Moving, err
	})
	if err != nil {
		return err
	}
	if err := h.SetShare(ctx, m.VM, m.Cap, m.Tier, 0); err != nil {
		return err
	}
	err = untilTrue(ctx, func() (bool, error) {
		presence, err := h.Ask(ctx, from, m.VM)
		return presence == reconcile.Nowhere, err
	})
	if err != nil {
		return err
	}
	return thaw(ctx, h, m)
}

// untilTrue asks again every half second.
func untilTrue(ctx context.Context, is func() (bool, error)) error {
	for {
		if yes, err := is(); yes || err != nil {
			return err
		}
		select {
		case <-time.After(time.Second / 2):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// thaw lets a VM run, and prints what it uses from then on, in millicores.
func thaw(ctx context.Context, h *libvirt.Hypervisor, m monitor.Machine) error {
	if _, err := h.Sample(ctx, of); err != nil {
		return err
	}
	if err := h.Thaw(ctx, m.VM); err != nil {
		return err
	}
	time.Sleep(span)
	all, err := h.Sample(ctx, of)
	for _, u := range all {
		if u.Run == m.VM.Run {
			return show(u.CPU)
		}
	}
	return errors.Join(err, errors.New("the VM is gone"))
}

// list lists the VMs, which collects what their guests have written.
func list(ctx context.Context, h *libvirt.Hypervisor) error {
	listing, err := h.List(ctx, of)
	if err != nil {
		return err
	}
	vms := map[string]any{}
	for run, d := range listing.Domains {
		vms[run.String()] = d
	}
	return show(map[string]any{"domains": vms, "foreign": listing.Foreign})
}

// until lists the VMs every few seconds, as a monitor does, until the guest has reported its exit, or has that many
// bytes of output.
func until(ctx context.Context, h *libvirt.Hypervisor, m monitor.Machine, what, number string) error {
	bytes, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return err
	}
	tick := time.NewTicker(5 * time.Second)
	defer tick.Stop()
	for {
		if _, err := h.List(ctx, of); err != nil {
			return err
		}
		guest, err := m.Folder.Read()
		if err != nil {
			return err
		}
		output, err := os.Stat(m.Folder.Output())
		if err != nil || what == "exit" && guest.Exit != nil || what == "output" && output.Size() >= bytes {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("started: %v, exit: %v, output: %d bytes", guest.Started, guest.Exit, output.Size())
		}
	}
}

// span is how long the use of a VM is measured.
const span = 8 * time.Second

// use prints what each VM used, in millicores, over three spans.
func use(ctx context.Context, h *libvirt.Hypervisor) error {
	used := map[string][]int64{}
	tick := time.NewTicker(span)
	defer tick.Stop()
	for spans := 0; ; spans++ {
		all, err := h.Sample(ctx, of) // the first sample of a VM has no use
		if err != nil {
			return err
		}
		for _, u := range all {
			used[u.Run.String()] = append(used[u.Run.String()], int64(u.CPU))
		}
		if spans == 3 {
			return show(used)
		}
		<-tick.C
	}
}

func show(v any) error { return json.NewEncoder(os.Stdout).Encode(v) }
