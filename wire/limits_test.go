package wire

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"aliquot/cluster"
	"aliquot/wire/wirepb"
)

var aRun = &wirepb.Run{Job: 1, Number: 1}

func TestReportsAreBounded(t *testing.T) {
	many := &wirepb.Report{}
	for range maxObservations + 1 {
		many.Observations = append(many.Observations, &wirepb.Observation{Run: aRun, Seen: uint32(cluster.SeenStray)})
	}
	if _, err := UnpackReport(1, many); err == nil || !strings.Contains(err.Error(), "4097 observations") {
		t.Errorf("too many observations: %v", err)
	}
	long := strings.Repeat("ü\x1b", 1<<20)
	r, err := UnpackReport(1, &wirepb.Report{
		Foreign: &wirepb.Foreign{Cpu: math.MaxInt64, Memory: math.MaxInt64}, StoreFree: math.MaxInt64,
		Observations: []*wirepb.Observation{{
			Run: aRun, Seen: uint32(cluster.SeenExited), Cap: math.MaxInt64, Image: math.MaxInt64, Platform: long, Cause: long,
			Exit: &wirepb.Exit{Signal: long, Cause: long}, Work: &wirepb.Work{Ran: math.MaxInt64, Waited: math.MinInt64},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	o := r.Observations[0]
	for name, text := range map[string]string{"cause": o.Cause, "platform": o.Platform, "signal": o.Exit.Signal,
		"exit": o.Exit.Cause} {
		if len(text) > maxText || !utf8.ValidString(text) || strings.ContainsRune(text, '\x1b') {
			t.Errorf("%s: %d bytes, %q…", name, len(text), text[:10])
		}
	}
	if r.Foreign.CPU > maxCPU || r.Foreign.Memory > maxMemory || r.StoreFree > maxStore || o.Cap > maxCPU ||
		o.Image > maxMemory ||
		o.Work.Ran > maxMicros || o.Work.Waited < 0 {
		t.Errorf("%+v", r)
	}
}

func TestDescriptionsAreBounded(t *testing.T) {
	label := func(k, v string) []*wirepb.Pair { return []*wirepb.Pair{{Key: k, Value: v}} }
	for name, change := range map[string]func(*wirepb.Description){
		"CPU":       func(m *wirepb.Description) { m.Cpu = math.MaxInt64 },
		"memory":    func(m *wirepb.Description) { m.Memory = math.MaxInt64 },
		"overhead":  func(m *wirepb.Description) { m.Overhead = m.Memory + 1 },
		"platforms": func(m *wirepb.Description) { m.Platforms = make([]string, maxPlatforms+1) },
		"labels":    func(m *wirepb.Description) { m.Labels = make([]*wirepb.Pair, maxLabels+1) },
		"a key":     func(m *wirepb.Description) { m.Labels = label(strings.Repeat("k", maxLabel+1), "") },
		"a value":   func(m *wirepb.Description) { m.Labels = label("k", strings.Repeat("v", maxLabel+1)) },
		"a URI":     func(m *wirepb.Description) { m.MigrateUri = strings.Repeat("x", maxURI+1) },
	} {
		m := &wirepb.Description{Cpu: 1000, Memory: 1 << 30}
		if _, err := UnpackDescription(m); err != nil {
			t.Fatal(err)
		}
		change(m)
		if _, err := UnpackDescription(m); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	d, err := UnpackDescription(&wirepb.Description{Cpu: 1, Memory: 1, Hypervisor: "\x1b[31m" +
		strings.Repeat("A", 1<<20)})
	if err != nil || len(d.Hypervisor) > maxText || strings.Contains(d.Hypervisor, "\x1b") {
		t.Errorf("a hypervisor's name of %d bytes, %v", len(d.Hypervisor), err)
	}
}

func TestSamplesAreBounded(t *testing.T) {
	many := &wirepb.Usage{}
	for range maxSamples + 1 {
		many.Samples = append(many.Samples, &wirepb.Sample{Run: aRun})
	}
	if _, _, err := UnpackUsage(many); err == nil {
		t.Error("too many samples: no error")
	}
	list, host, err := UnpackUsage(&wirepb.Usage{
		Samples: []*wirepb.Sample{{Run: aRun, Cpu: math.MaxInt64, Memory: math.MaxInt64}},
		Host:    &wirepb.Host{Cpu: math.MaxInt64, Cpus: 8000, Memory: math.MaxInt64, DiskUsed: 7, Disk: math.MaxInt64},
	})
	if want := (Host{CPU: 8000, CPUs: 8000, Memory: maxMemory, DiskUsed: 7, Disk: maxStore}); host != want {
		t.Errorf("a host of %+v, want %+v", host, want)
	}
	if _, _, err := UnpackUsage(&wirepb.Usage{Host: &wirepb.Host{Disk: -1}}); err == nil {
		t.Error("a negative disk: no error")
	}
	if err != nil || list[0].CPU > maxCPU || list[0].Memory > maxMemory {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestVMsMoveToNoURIThatRunsAProgram(t *testing.T) {
	for uri, want := range map[string]string{
		"qemu+tls://n1/system": "qemu+tls://n1/system", "qemu+tcp://n1/system": "qemu+tcp://n1/system",
		"qemu+ext:///system?command=/evil": "", "qemu+tls://n1/system?x=y": "", "": "",
	} {
		d, err := UnpackDescription(&wirepb.Description{Cpu: 1, Memory: 1, MigrateUri: uri})
		if err != nil || d.MigrateURI != want || d.Immobile != (want == "") {
			t.Errorf("%q became %q, %v", uri, d.MigrateURI, err)
		}
	}
}
