package libvirt

import (
	"os"
	"testing"
)

func TestDriverOfMandatoryAccessControlIsReadFromTheCapabilities(t *testing.T) {
	for models, want := range map[string]string{
		"": "",
		"<secmodel><model>none</model></secmodel><secmodel><model>dac</model></secmodel>":     "",
		"<secmodel><model>apparmor</model></secmodel><secmodel><model>dac</model></secmodel>": "apparmor",
		"<secmodel><model>selinux</model></secmodel>":                                         "selinux",
	} {
		got, err := driverOf("<capabilities><host>" + models + "</host></capabilities>")
		if got != want || err != nil {
			t.Errorf("%s: %q, %v, want %q", models, got, err, want)
		}
	}
	if _, err := driverOf("<capabilities"); err == nil {
		t.Error("broken capabilities were read")
	}
}

func TestConfinementIsToldInWords(t *testing.T) {
	for c, want := range map[confinement]string{
		{"apparmor", true}: "VMs confined by apparmor and seccomp",
		{"selinux", false}: "VMs confined by selinux, not by seccomp",
		{"", true}:         "VMs confined by seccomp, not by AppArmor or SELinux",
		{}:                 "VMs not confined",
	} {
		if got := c.String(); got != want {
			t.Errorf("%+v: %q, want %q", c, got, want)
		}
	}
}

func TestOnlyLabelsOfVMsThatAreEnforcedConfine(t *testing.T) {
	for _, c := range []struct {
		driver, label string
		want          bool
	}{
		{"apparmor", "libvirt-0badcafe-0000-0000-0000-000000000000 (enforce)\n", true},
		{"apparmor", "libvirt-0badcafe-0000-0000-0000-000000000000 (complain)\n", false},
		{"apparmor", "unconfined\n", false},
		{"apparmor", "/usr/sbin/libvirtd (enforce)\n", false},
		{"selinux", "system_u:system_r:svirt_t:s0:c1,c2\x00", true},
		{"selinux", "system_u:system_r:svirt_tcg_t:s0:c1,c2\x00", true},
		{"selinux", "system_u:system_r:virtd_t:s0\x00", false},
	} {
		if got := labelled(c.driver, []byte(c.label)); got != c.want {
			t.Errorf("%s, %q: %v", c.driver, c.label, got)
		}
	}
}

func TestAProcessWithoutAFilterIsNotConfined(t *testing.T) {
	for status, want := range map[string]bool{"Seccomp:\t0\n": false,
		"Name:\tx\nSeccomp:\t2\nSeccomp_filters:\t1\n": true} {
		if got := filtered.MatchString(status); got != want {
			t.Errorf("%q: %v", status, got)
		}
	}
	if _, err := (Process{Pid: os.Getpid()}).inForce(""); err != nil {
		t.Error(err)
	}
	for text, off := range map[string]bool{"": false, "#seccomp_sandbox = 0": false, " seccomp_sandbox = 0": true,
		"seccomp_sandbox = 1": false} {
		if got := seccompOff.MatchString(text); got != off {
			t.Errorf("%q: %v", text, got)
		}
	}
}
