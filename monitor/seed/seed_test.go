package seed

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/kdomanski/iso9660"
)

func TestASeedHoldsTheTaskTheAgentAndWhatTheUserWrote(t *testing.T) {
	var disk bytes.Buffer
	s := Seed{Instance: "id", Hostname: "j17-2", UserData: "#cloud-config\ntimezone: UTC\n", Task: []byte(`{"job":"j17"}`),
		Agent: strings.NewReader("a program")}
	if err := s.Write(&disk); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"user-data": "timezone: UTC", "meta-data": "local-hostname: j17-2", "network-config": "ethernets: {}",
		"vendor-data": "#cloud-boothook", "task": `{"job":"j17"}`, "agent": "a program",
	} {
		if got := contents(t, disk.Bytes())[file]; !strings.Contains(got, want) {
			t.Errorf("%s is %q", file, got)
		}
	}
}

func TestASystemIsToldItsAddressAndAsksNobodyForOne(t *testing.T) {
	var disk bytes.Buffer
	s := Seed{Agent: strings.NewReader(""), MAC: "02:00:00:00:00:01", Address: "10.77.0.2/16"}
	if err := s.Write(&disk); err != nil {
		t.Fatal(err)
	}
	want := "version: 2\nethernets:\n  card:\n    match: {macaddress: \"02:00:00:00:00:01\"}\n    addresses: [\"10.77.0.2/16\"]\n"
	if got := contents(t, disk.Bytes())["network-config"]; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// The rest of the machine's file system is read-only to the monitor.
func TestTheMonitorsUnitHasAFolderWhereSeedsArePutTogether(t *testing.T) {
	unit, err := os.ReadFile("../../packaging/aliquot-monitor.service")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(unit), "\nPrivateTmp=yes\n") {
		t.Error("it can write no temporary files")
	}
}

// The agent must live to report that the kernel killed the task for memory. Without the agent, the machine must end.
func TestTheAgentOutlivesAShortageOfMemory(t *testing.T) {
	for _, property := range []string{"-p OOMPolicy=continue", "-p FailureAction=poweroff-force"} {
		if !bytes.Contains(boothook, []byte(property)) {
			t.Errorf("the agent's unit lacks %s", property)
		}
	}
}

// contents returns the files of a disk by name.
func contents(t *testing.T, disk []byte) map[string]string {
	t.Helper()
	image, err := iso9660.OpenImage(bytes.NewReader(disk))
	if err != nil {
		t.Fatal(err)
	}
	root, err := image.RootDir()
	if err != nil {
		t.Fatal(err)
	}
	files, err := root.GetChildren()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range files {
		text, err := io.ReadAll(f.Reader())
		if err != nil {
			t.Fatal(err)
		}
		all[f.Name()] = string(text)
	}
	return all
}
