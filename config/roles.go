package config

import (
	"time"

	"aliquot/cluster"
)

// Manager configures `aliquotd manager`.
type Manager struct {
	Data        string        `yaml:"data" usage:"folder of this manager's state"`
	Secrets     string        `yaml:"secrets" usage:"folder of the cluster's id, certificates and tokens; other managers get a copy of the first one's"`
	Replica     uint64        `yaml:"replica" usage:"number of this manager among the members"`
	Members     []string      `yaml:"members" usage:"all managers as NUMBER=HOST:PORT of their Raft, the same on each; none: this one alone"`
	Join        bool          `yaml:"join" usage:"this manager is added to a running cluster"`
	REST        string        `yaml:"rest" usage:"HOST:PORT of REST"`
	Raft        string        `yaml:"raft" usage:"HOST:PORT of Raft, when there are no members"`
	RaftTLS     string        `yaml:"raft-tls" usage:"required, or auto: without TLS only between several managers on loopback of a cluster that a version before TLS founded"`
	Link        string        `yaml:"link" usage:"HOST:PORT at which monitors connect"`
	Links       []string      `yaml:"links" usage:"links of all managers as NUMBER=HOST:PORT, the same on each; none: this one alone"`
	URLs        []string      `yaml:"urls" usage:"REST of all managers as NUMBER=URL, the same on each; none: this one alone"`
	Store       string        `yaml:"store" usage:"folder of the cluster's store of saved images and output, the same on managers and nodes"`
	ResultsAge  time.Duration `yaml:"results-age" usage:"how long the files of an ended job stay on the store"`
	ResultsSize Memory        `yaml:"results-size" usage:"most that the files of ended jobs take on the store, the oldest go first; 0: a tenth of the store"`
	PastSize    Memory        `yaml:"past-size" usage:"most that the records of charts take on this manager's disk, at least 16Mi; the oldest go first"`
	Backups     string        `yaml:"backups" usage:"folder of daily backups of the state, fourteen of them; auto: backups below data; none: no backups"`
	AuditAge    time.Duration `yaml:"audit-age" usage:"how long entries of the audit log are kept"`
	AuditSize   Memory        `yaml:"audit-size" usage:"most that this manager's audit log takes, at least 16Mi; beyond it the heaviest senders lose their oldest entries"`
	AuditSyslog string        `yaml:"audit-syslog" usage:"receiver of syslog (RFC 5424) that gets each entry of the audit log: udp://HOST:PORT, tcp://HOST:PORT, tls://HOST:PORT or unix:///dev/log; none: not exported"`
	Image       string        `yaml:"image" usage:"folder of the built-in guest image: kernel, initrd, cmdline; auto: where it was installed or built; none: no built-in image"`
	Policy      string        `yaml:"policy" usage:"published name of the scheduling policy of a new cluster"`
	Period      time.Duration `yaml:"period" usage:"period of the policy's tick of a new cluster"`
	Lease       time.Duration `yaml:"lease" usage:"how long a node's VMs run on without an answer from a leader"`
	FenceMargin time.Duration `yaml:"fence-margin" usage:"time from the end of a lease until the node's fence must have acted"`
	LogLevel    string        `yaml:"log-level" usage:"debug, info, warn or error"`
}

// Monitor configures `aliquotd monitor`.
type Monitor struct {
	Node       string   `yaml:"node" usage:"name of this node; none: its host name"`
	Managers   []string `yaml:"managers" usage:"HOST:PORT of the managers' links"`
	JoinToken  string   `yaml:"join-token" usage:"file with the join token that aliquot node invite printed, for the first start, and to join again when the certificate was withdrawn or has expired"`
	Data       string   `yaml:"data" usage:"folder of this node's certificate and lease"`
	URI        string   `yaml:"uri" usage:"libvirt's connection URI; auto: xen:///system in a dom0 of Xen, else qemu:///system"`
	MigrateURI string   `yaml:"migrate-uri" usage:"URI at which other nodes reach this node's libvirt; none: nothing migrates here"`
	MigrateTCP bool     `yaml:"migrate-tcp" usage:"VMs may come and go over TCP without TLS, unsafe: whoever sees the network reads their memory"`
	CPU        CPU      `yaml:"cpu" usage:"capacity for VMs, in millicores of this machine; 0: the whole machine except the reserve"`
	Speed      Speed    `yaml:"speed" usage:"how fast this machine's processors work, from 0.05 to 10, where 1 is the reference of which jobs ask for millicores; measured: as a benchmark at its first start tells; none: 1, and what the benchmark tells is only shown"`
	Class      string   `yaml:"class" usage:"class of this machine, of which all nodes do any work equally fast; speeds are learnt by it; none: the name of its processors"`
	Memory     Memory   `yaml:"memory" usage:"capacity for VMs; 0: the whole machine except the reserve"`
	ReserveCPU CPU      `yaml:"reserve-cpu" usage:"kept for the node and its emulators when cpu is 0; 0: 2 % of the machine, at least 100m"`
	Reserve    Memory   `yaml:"reserve-memory" usage:"kept for the node itself when memory is 0"`
	Overhead   Memory   `yaml:"overhead" usage:"memory charged per VM in addition to what its job asks for and 30Mi for the guest; all nodes charge the largest of their values; 0: as measured"`
	Store      string   `yaml:"store" usage:"folder of the cluster's store, the same on managers and nodes; guests write there"`
	Images     string   `yaml:"images" usage:"folder for this node's own copies of guest images, from which VMs boot; not on the store, and QEMU's user must reach it"`
	Accel      string   `yaml:"accel" usage:"kvm, tcg, or auto: KVM if the trial image boots under it"`
	Bind       string   `yaml:"bind" usage:"processors that policies of two tiers bind VMs to: cores, threads (each counts as a core), or none (the node counts as one)"`
	Bridge     string   `yaml:"bridge" usage:"bridge of this machine for VMs with a network, of the same name on all nodes; none: it takes no such VMs"`
	Trial      string   `yaml:"trial-image" usage:"folder of the image that is booted to test KVM, and of the agent for disk images; auto: where it was installed or built; none: neither is used"`
	Labels     []string `yaml:"labels" usage:"KEY=VALUE that placements may ask for"`
	LogLevel   string   `yaml:"log-level" usage:"debug, info, warn or error"`
}

// Fence configures `aliquotd fence`.
type Fence struct {
	Data       string        `yaml:"data" usage:"folder of the monitor, where the lease is"`
	URI        string        `yaml:"uri" usage:"libvirt's connection URI; auto: xen:///system in a dom0 of Xen, else qemu:///system"`
	FenceAfter time.Duration `yaml:"fence-after" usage:"how long frozen VMs wait for a leader before they are destroyed"`
	Watchdog   string        `yaml:"watchdog" usage:"watchdog device to arm; auto: /dev/watchdog if it exists and is free; none: arm no watchdog"`
	LogLevel   string        `yaml:"log-level" usage:"debug, info, warn or error"`
}

// Policy and Period are the defaults of a new cluster.
const (
	Policy = "GreedyPM */stable"
	Period = 600 * time.Second
)

// Values of raft-tls.
const (
	RaftTLSAuto     = "auto"
	RaftTLSRequired = "required"
)

// NewManager returns the defaults.
func NewManager() *Manager {
	return &Manager{
		Data: "/var/lib/aliquot/manager", Secrets: "/var/lib/aliquot/secrets", Replica: 1,
		REST: "127.0.0.1:7420", Raft: "127.0.0.1:7421", RaftTLS: RaftTLSAuto, Link: "127.0.0.1:7422",
		Store: "/var/lib/aliquot/store", ResultsAge: 30 * 24 * time.Hour,
		PastSize: Memory(256 * cluster.MiB), Backups: "auto",
		AuditAge: 365 * 24 * time.Hour, AuditSize: Memory(128 * cluster.MiB), AuditSyslog: "none", Image: "auto",
		Policy: Policy, Period: Period, Lease: 2 * time.Minute, FenceMargin: 15 * time.Second, LogLevel: "info",
	}
}

// NewMonitor returns the defaults.
func NewMonitor() *Monitor {
	return &Monitor{
		Managers: []string{"127.0.0.1:7422"}, JoinToken: "/etc/aliquot/join.token",
		Data: "/var/lib/aliquot/node", URI: "auto",
		Reserve: Memory(512 * cluster.MiB),
		Store:   "/var/lib/aliquot/store", Images: "/var/lib/aliquot/images", Accel: "auto", Bind: "cores", Trial: "auto",
		LogLevel: "info",
	}
}

// NewFence returns the defaults.
func NewFence() *Fence {
	return &Fence{Data: "/var/lib/aliquot/node", URI: "auto", FenceAfter: 30 * time.Minute, Watchdog: "auto",
		LogLevel: "info"}
}
