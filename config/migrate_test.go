package config

import (
	"strings"
	"testing"
)

func TestMigrationsWithoutTLSMustBeAskedFor(t *testing.T) {
	m := NewMonitor()
	m.MigrateURI = "qemu+tcp://10.0.0.2/system"
	if err := m.Validate(); err == nil || !strings.Contains(err.Error(), "migrate-tcp") {
		t.Errorf("without the setting: %v", err)
	}
	m.MigrateTCP = true
	if err := m.Validate(); err != nil {
		t.Errorf("with the setting: %v", err)
	}
}
