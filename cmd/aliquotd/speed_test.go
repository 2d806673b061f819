package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/config"
	"aliquot/monitor/host"
)

// A machine that was fast at its first start. Nodes that declare no speed decide as before.
func TestAMeasuredSpeedCountsOnlyWhereItIsAskedFor(t *testing.T) {
	cfg := config.NewMonitor()
	cfg.Data = t.TempDir()
	if _, measured, err := speeds(cfg, "/proc", zerolog.Nop()); err != nil || measured == 0 {
		t.Fatalf("%v is measured, %v", measured, err)
	}
	path := filepath.Join(cfg.Data, host.SpeedFile)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.LastIndex(string(text), ":") // the speed is the last of the file
	if err := os.WriteFile(path, fmt.Appendf(nil, "%s:1350}", text[:at]), 0o600); err != nil {
		t.Fatal(err)
	}
	for setting, want := range map[string]struct {
		counts, measured cluster.Speed
		log              string
	}{
		"none":     {0, 1350, `"measured":"1.35","message":"this machine counts as the reference`},
		"measured": {1350, 1350, `"measured":"1.35","message":"the speed of this machine is`},
		"0.8":      {800, 0, ""},
		"1":        {1000, 0, ""},
	} {
		if err := cfg.Speed.UnmarshalText([]byte(setting)); err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		counts, measured, err := speeds(cfg, "/proc", zerolog.New(&log))
		if err != nil || counts != want.counts || measured != want.measured {
			t.Errorf("speed: %s: %d counts, %d is measured, %v", setting, counts, measured, err)
		}
		if !strings.Contains(log.String(), want.log) || want.log == "" && log.Len() > 0 {
			t.Errorf("speed: %s logs %s", setting, log.String())
		}
	}
}

func TestASpeedThatCannotBeMeasuredIsNoReasonToStopUnlessItIsAskedFor(t *testing.T) {
	cfg := config.NewMonitor()
	cfg.Data = t.TempDir()
	nowhere := filepath.Join(cfg.Data, "proc")
	if counts, measured, err := speeds(cfg, nowhere, zerolog.Nop()); counts != 0 || measured != 0 || err != nil {
		t.Errorf("%d counts, %d is measured, %v", counts, measured, err)
	}
	cfg.Speed = config.SpeedMeasured
	_, _, err := speeds(cfg, nowhere, zerolog.Nop())
	if err == nil || !strings.Contains(err.Error(), "declares the speed") {
		t.Errorf("measured: %v", err)
	}
}

func TestANodesClassIsItsSettingOrTheNameOfItsProcessors(t *testing.T) {
	proc, cfg := t.TempDir(), config.NewMonitor()
	for model, want := range map[string]string{
		"Intel(R) Xeon(R) CPU   E5-2620 v4": "Intel(R) Xeon(R) CPU E5-2620 v4", strings.Repeat("x", 65): "",
	} {
		text := "processor : 0\nvendor_id : GenuineIntel\nmodel name : " + model + "\n"
		if err := os.WriteFile(filepath.Join(proc, "cpuinfo"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := nodeClass(cfg, proc, zerolog.Nop()); got != want {
			t.Errorf("%q makes the class %q", model, got)
		}
	}
	if cfg.Class = "large"; nodeClass(cfg, proc, zerolog.Nop()) != "large" {
		t.Error("the setting does not count")
	}
}
