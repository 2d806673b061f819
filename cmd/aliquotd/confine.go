package main

import (
	"fmt"

	"github.com/elastic/go-seccomp-bpf"
	"github.com/landlock-lsm/go-landlock/landlock"
)

// needless are the system calls by which a process reaches the network, other programs and the kernel's insides. A
// simulation needs none of them. They fail instead of ending the process.
var needless = []string{
	"socket", "socketpair", "connect", "bind", "execve", "execveat", "kill", "ptrace", "process_vm_readv",
	"process_vm_writev", "mount", "umount2", "setns", "unshare", "bpf", "perf_event_open", "keyctl", "add_key",
	"request_key", "userfaultfd", "io_uring_setup", "open_by_handle_at", "init_module", "finit_module", "kexec_load",
}

// confine takes from this process, for good, all that a simulation does not need: it reaches no file outside the folder
// and can make none of the needless system calls. A kernel without Landlock leaves it the files of its user.
func confine(folder string) error {
	if err := landlock.V5.BestEffort().RestrictPaths(landlock.RWDirs(folder)); err != nil {
		return fmt.Errorf("confine the simulation to its folder: %w", err)
	}
	calls := seccomp.SyscallGroup{Names: needless, Action: seccomp.ActionErrno}
	filter := seccomp.Filter{NoNewPrivs: true, Flag: seccomp.FilterFlagTSync,
		Policy: seccomp.Policy{DefaultAction: seccomp.ActionAllow, Syscalls: []seccomp.SyscallGroup{calls}}}
	if err := seccomp.LoadFilter(filter); err != nil {
		return fmt.Errorf("confine the simulation's system calls: %w", err)
	}
	return nil
}
