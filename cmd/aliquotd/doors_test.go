package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aliquot/client"
)

func TestRootAsksTheManagerOnASocketThatNobodyElseReaches(t *testing.T) {
	c := newTrio(t)
	cfg := c.config(1)
	cfg.Data = filepath.Join(cfg.Data, "manager")
	cfg.Members, cfg.Links, cfg.URLs = nil, nil, nil
	founded := make(chan struct{})
	stop := c.startGreeting(cfg, func(*secrets) { close(founded) })
	<-founded
	path := filepath.Join(cfg.Data, restSocket)
	for file, want := range map[string]os.FileMode{path: 0o600 | os.ModeSocket, cfg.Data: 0o700 | os.ModeDir} {
		if info, err := os.Stat(file); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", file, info, err)
		}
	}
	token, err := os.ReadFile(filepath.Join(c.secrets, "admin.token"))
	if err != nil {
		t.Fatal(err)
	}
	asked, err := client.New(client.Options{Managers: []string{"unix://" + path}, Token: strings.TrimSpace(string(token))})
	if err != nil {
		t.Fatal(err)
	}
	defer asked.Close()
	list, err := asked.Managers(t.Context())
	if err != nil || len(list) != 1 || list[0].Address != "http://"+cfg.REST {
		t.Errorf("%+v, %v", list, err)
	}
	stop()
	c.start(cfg) // over the socket that the first manager left
	c.await(cfg, led(1))
}
