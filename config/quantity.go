package config

import (
	"fmt"

	"aliquot/cluster"
)

// CPU is an amount of CPU in a configuration, written like 1200m or 1.2.
type CPU cluster.CPU

// UnmarshalText parses the amount.
func (c *CPU) UnmarshalText(text []byte) error {
	v, err := cluster.ParseCPU(string(text))
	*c = CPU(v)
	return err
}

// MarshalText formats the amount.
func (c CPU) MarshalText() ([]byte, error) { return []byte(cluster.CPU(c).String()), nil }

// Speed is the speed of a node in a configuration, written like 0.8, or one of the words for none.
type Speed cluster.Speed

// Settings that declare no speed.
const (
	SpeedNone     Speed = 0  // the speed of the reference; a measured one is only shown
	SpeedMeasured Speed = -1 // the measured speed
)

// UnmarshalText parses the speed.
func (v *Speed) UnmarshalText(text []byte) error {
	switch string(text) {
	case "none":
		*v = SpeedNone
		return nil
	case "measured":
		*v = SpeedMeasured
		return nil
	}
	parsed, err := cluster.ParseSpeed(string(text))
	if err != nil {
		return fmt.Errorf("%w; or none, or measured", err)
	}
	*v = Speed(parsed)
	return nil
}

// MarshalText formats the speed.
func (v Speed) MarshalText() ([]byte, error) {
	switch v {
	case SpeedNone:
		return []byte("none"), nil
	case SpeedMeasured:
		return []byte("measured"), nil
	}
	return []byte(cluster.Speed(v).String()), nil
}

// Memory is an amount of memory in a configuration, written like 512Mi.
type Memory cluster.Bytes

// UnmarshalText parses the amount.
func (m *Memory) UnmarshalText(text []byte) error {
	v, err := cluster.ParseBytes(string(text))
	*m = Memory(v)
	return err
}

// MarshalText formats the amount.
func (m Memory) MarshalText() ([]byte, error) { return []byte(cluster.Bytes(m).String()), nil }
