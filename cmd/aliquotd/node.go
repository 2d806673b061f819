package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"aliquot/cluster"
	"aliquot/config"
	"aliquot/monitor"
	"aliquot/monitor/fence"
	"aliquot/monitor/host"
	"aliquot/monitor/libvirt"
	"aliquot/wire"
	"aliquot/wire/image"
)

func monitorCommand() *cobra.Command {
	c := &cobra.Command{Use: "monitor", Short: "Run a node's monitor: it carries out the leader's orders through libvirt",
		Args: cobra.NoArgs}
	load := bind(c, config.NewMonitor)
	c.RunE = func(c *cobra.Command, _ []string) error {
		cfg, err := load()
		if err != nil {
			return err
		}
		return runMonitor(c.Context(), cfg, handedOver(cfg.JoinToken), logger(cfg.LogLevel))
	}
	return c
}

// runMonitor runs until ctx ends or the node cannot take part. Its VMs keep running.
func runMonitor(ctx context.Context, cfg *config.Monitor, invited invitation, log zerolog.Logger) error {
	if err := name(cfg); err != nil {
		return err
	}
	if err := makeFolder(cfg.Data, 0o711); err != nil {
		return fmt.Errorf("make the node's folder: %w", err)
	}
	if cfg.Images == sharedImages(cfg.Store) {
		cfg.Images = config.NewMonitor().Images
		log.Warn().Str("images", cfg.Images).Msg("images names the folder on the store, as in earlier versions; " +
			"the node keeps its own copies elsewhere: remove the setting")
	}
	if err := image.Sweep(cfg.Images); err != nil {
		return fmt.Errorf("remove unfinished copies of images: %w", err)
	}
	trial, err := trial(cfg.Trial)
	if err != nil {
		return err
	}
	client, err := enlist(ctx, cfg, invited, log)
	if err != nil {
		return err
	}
	uri, err := uriOf(cfg.URI)
	if err != nil {
		return err
	}
	speed, measured, err := speeds(cfg, "/proc", log)
	if err != nil {
		return err
	}
	hypervisor, err := libvirt.Open(libvirt.Config{
		URI: uri, MigrateURI: cfg.MigrateURI, PlainTCP: cfg.MigrateTCP, Accel: strings.TrimPrefix(cfg.Accel, "auto"),
		Overhead: cluster.Bytes(cfg.Overhead), Bind: cfg.Bind, Bridge: cfg.Bridge, Speed: speed,
		Trial: trial, Data: cfg.Data, Images: cfg.Images, Shared: sharedImages(cfg.Store), Log: log,
	})
	if err != nil {
		return err
	}
	defer hypervisor.Close()
	if text := exposed(cfg); text != "" {
		log.Warn().Str("migrate-uri", cfg.MigrateURI).Msg(text)
	}
	machine, err := machine(ctx, cfg, uri)
	if err != nil {
		return err
	}
	capacity, err := capacity(cfg, machine)
	if err != nil {
		return err
	}
	if text := excess(capacity, machine); text != "" {
		log.Warn().Msg(text)
	}
	labels, _ := config.Pairs(cfg.Labels) // Validate has checked it
	for what, path := range map[string]string{"the store": cfg.Store, "this node's images": cfg.Images} {
		if folder := closed(path); folder != "" {
			log.Warn().Str("folder", folder).
				Msg("QEMU cannot reach " + what + " unless libvirt runs it as root; run chmod o+x on this folder")
		}
	}
	meter, err := host.NewMeter("/proc", cfg.Data)
	if err != nil {
		return err
	}
	agent, err := monitor.New(monitor.Config{
		Host: meter.Sample,
		Name: cfg.Node, CPU: speed.Reference(capacity.CPU), Speed: speed, Measured: measured,
		Class: nodeClass(cfg, "/proc", log), Memory: capacity.Memory, Labels: labels,
		Bridge: cfg.Bridge, Reach: hypervisor.Reach, Store: cfg.Store, Images: cfg.Images, Agent: guestAgent(cfg.Trial),
		Data: cfg.Data, Log: log, Program: version,
	}, hypervisor, uplink{client}, client)
	if err != nil {
		return err
	}
	client.Serve(func(ctx context.Context, run cluster.RunID, pipe *wire.FramePipe) error {
		return agent.Carry(ctx, run, pipe)
	})
	return agent.Run(ctx)
}

// name gives a node without a name its host name.
func name(cfg *config.Monitor) error {
	if cfg.Node == "" {
		host, err := os.Hostname()
		if err != nil {
			return fmt.Errorf("name the node: %w", err)
		}
		cfg.Node = strings.ToLower(host)
	}
	return cfg.Validate()
}

// sharedImages is the folder on the store in which a VM that moves finds its image on the other node.
func sharedImages(store string) string { return filepath.Join(store, "images") }

// trial returns the image for testing KVM. Without one KVM is not used.
func trial(setting string) (monitor.Image, error) {
	folder, err := findImage(setting, imagePlaces())
	if errors.Is(err, errNoImage) || err == nil && folder == "" {
		return monitor.Image{}, nil
	}
	if err != nil {
		return monitor.Image{}, err
	}
	return monitor.ReadImage(folder)
}

// guestAgent returns the agent for disk images, which comes with the guest image; "" without that.
func guestAgent(setting string) string {
	folder, err := findImage(setting, imagePlaces())
	if err != nil || folder == "" {
		return ""
	}
	agent := filepath.Join(folder, "agent")
	if _, err := os.Stat(agent); err != nil {
		return ""
	}
	return agent
}

// capacity returns the configured capacity, or the machine's, less the reserve.
func capacity(cfg *config.Monitor, machine cluster.Offer) (cluster.Offer, error) {
	have := cluster.Offer{CPU: cluster.CPU(cfg.CPU), Memory: cluster.Bytes(cfg.Memory)}
	reserve := cluster.Offer{CPU: cluster.CPU(cfg.ReserveCPU), Memory: cluster.Bytes(cfg.Reserve)}
	if reserve.CPU == 0 {
		reserve.CPU = max(leastReserve, machine.CPU/50) // for emulator threads, which no VM's cap covers
	}
	if have.CPU == 0 {
		have.CPU = machine.CPU - reserve.CPU
	}
	if have.Memory == 0 {
		have.Memory = machine.Memory - reserve.Memory
	}
	if have.CPU < 1 || have.Memory < 1 {
		return have, fmt.Errorf("the reserve of %v and %v leaves nothing of this machine for VMs", reserve.CPU,
			reserve.Memory)
	}
	return have, nil
}

// excess says by how much a node would offer more than this machine has; "": it would not, or that is unknown.
func excess(offer, machine cluster.Offer) string {
	switch {
	case machine.CPU > 0 && offer.CPU > machine.CPU:
		return fmt.Sprintf("the node offers %v of CPU, and this machine has %v (2 is two cores, 500m is half of one)",
			offer.CPU, machine.CPU)
	case machine.Memory > 0 && offer.Memory > machine.Memory:
		return fmt.Sprintf("the node offers %s of memory, and this machine has %s", offer.Memory.Words(),
			machine.Memory.Words())
	}
	return ""
}

// exposed says that others on the network see the memory of VMs; "": they do not.
func exposed(cfg *config.Monitor) string {
	if !cfg.MigrateTCP {
		return ""
	}
	return "migrate-tcp is set: memory of VMs goes in the clear to nodes whose migrate-uri has no TLS, and whoever reaches " +
		"libvirt there is root; use qemu+tls or xen+tls on every node"
}

// compare notes if the file would offer more than this machine has, which may be another one than it is for.
func compare(c *cobra.Command, cfg *config.Monitor) error {
	uri, err := uriOf(cfg.URI)
	if err != nil || libvirt.OnXen(uri) {
		return nil // its machine is known once its monitor runs
	}
	machine, err := machine(c.Context(), cfg, uri)
	if err != nil {
		return err
	}
	offer := cluster.Offer{CPU: cluster.CPU(cfg.CPU), Memory: cluster.Bytes(cfg.Memory)}
	if text := excess(offer, machine); text != "" {
		fmt.Fprintln(c.OutOrStdout(), "note: on this machine,", text)
	}
	return nil
}

// leastReserve is the least CPU reserved for the node itself unless another amount is configured.
const leastReserve cluster.CPU = 100

// uriOf returns the URI of the machine's libvirt.
func uriOf(setting string) (string, error) {
	if setting == "auto" {
		return libvirt.LocalURI()
	}
	return setting, nil
}

// machine returns this machine's resources. A dom0 sees only its own part of them. There nothing is asked if all is
// configured.
func machine(ctx context.Context, cfg *config.Monitor, uri string) (have cluster.Offer, err error) {
	if libvirt.OnXen(uri) {
		if cfg.CPU > 0 && cfg.Memory > 0 {
			return have, nil
		}
		return libvirt.MachineXen(ctx)
	}
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return have, fmt.Errorf("count the machine's processors: %w", err)
	}
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return have, fmt.Errorf("read the machine's memory: %w", err)
	}
	have.CPU = cluster.CPU(set.Count()) * cluster.Core
	have.Memory = cluster.Bytes(info.Totalram) * cluster.Bytes(info.Unit)
	return have, nil
}

func fenceCommand() *cobra.Command {
	c := &cobra.Command{Use: "fence", Short: "Run a node's fence: it stops the VMs when the lease has expired",
		Args: cobra.NoArgs}
	load := bind(c, config.NewFence)
	c.RunE = func(c *cobra.Command, _ []string) error {
		cfg, err := load()
		if err != nil {
			return err
		}
		log := logger(cfg.LogLevel)
		fence.Urge(log)
		return runFence(c.Context(), cfg, log)
	}
	return c
}

func runFence(ctx context.Context, cfg *config.Fence, log zerolog.Logger) error {
	if err := makeFolder(cfg.Data, 0o711); err != nil {
		return fmt.Errorf("make the node's folder: %w", err)
	}
	uri, err := uriOf(cfg.URI)
	if err != nil {
		return err
	}
	hypervisor, err := libvirt.Open(libvirt.Config{URI: uri, Accel: "tcg", Log: log})
	if err != nil {
		return err
	}
	defer hypervisor.Close()
	f, err := fence.New(fence.Config{Data: cfg.Data, After: cfg.FenceAfter, Watchdog: cfg.Watchdog, Log: log},
		libvirt.Gentle{Hypervisor: hypervisor}, libvirt.FirmOf(uri))
	if err != nil {
		return err
	}
	return f.Run(ctx)
}

// uplink adapts the wire client to the monitor's interface.
type uplink struct{ *wire.Client }

func (u uplink) Connect(ctx context.Context, describe func() cluster.Join) (monitor.Session, error) {
	s, err := u.Client.Connect(ctx, describe)
	if err != nil {
		return nil, err
	}
	return s, nil
}
