package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aliquot/config"
)

func guestImage(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for _, file := range []string{"kernel", "cmdline"} {
		if err := os.WriteFile(filepath.Join(folder, file), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func environment(pairs map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { v, ok := pairs[name]; return v, ok }
}

func TestTheNodeOfUpLivesBesideItsManager(t *testing.T) {
	env := environment(map[string]string{"ALIQUOTD_DATA": "/var/elsewhere", "ALIQUOTD_MANAGERS": "far:1",
		"ALIQUOTD_CPU": "2"})
	m := config.NewManager()
	m.Image = guestImage(t)
	n, err := ownNode(m, environment(nil))
	if err != nil || n.Data != config.NewMonitor().Data || n.Images != config.NewMonitor().Images {
		t.Errorf("by default: %+v, %v", n, err)
	}
	m.Data, m.Store, m.Link = "/var/elsewhere", "/srv/store/", "127.0.0.1:9"
	n, err = ownNode(m, env)
	if err != nil {
		t.Fatal(err)
	}
	if n.Data != "/var/elsewhere/node" || n.Images != "/srv/store-images" {
		t.Errorf("folders: %+v", n)
	}
	if n.Managers[0] != "127.0.0.1:9" || n.CPU != 2000 || n.Trial != m.Image {
		t.Errorf("settings: %+v", n)
	}
}

func TestUpIsForTheOnlyManagerAndNeedsAnImage(t *testing.T) {
	m := config.NewManager()
	m.Image = guestImage(t)
	m.Members = []string{"1=127.0.0.1:1", "2=127.0.0.1:2"}
	if _, err := ownNode(m, environment(nil)); err == nil || !strings.Contains(err.Error(), "only manager") {
		t.Errorf("two members: %v", err)
	}
	m = config.NewManager()
	m.Image = t.TempDir()
	if _, err := ownNode(m, environment(nil)); err == nil || !strings.Contains(err.Error(), "guest image") {
		t.Errorf("an empty folder: %v", err)
	}
}

func TestTheGuestImageIsLookedForInTurn(t *testing.T) {
	here, there := guestImage(t), guestImage(t)
	for _, c := range []struct {
		setting string
		places  []string
		want    string
		err     error
	}{
		{"auto", []string{t.TempDir(), here, there}, here, nil},
		{"auto", []string{t.TempDir()}, "", errNoImage},
		{"none", []string{here}, "", nil},
		{there, []string{here}, there, nil},
		{"/gone", []string{here}, "", os.ErrNotExist},
	} {
		if got, err := findImage(c.setting, c.places); got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s in %v: %s, %v", c.setting, c.places, got, err)
		}
	}
}
