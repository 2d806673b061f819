package config

import "aliquot/cluster"

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

// Speed is the speed of a node in a configuration, written like 0.8.
type Speed cluster.Speed

// UnmarshalText parses the speed.
func (v *Speed) UnmarshalText(text []byte) error {
	parsed, err := cluster.ParseSpeed(string(text))
	*v = Speed(parsed)
	return err
}

// MarshalText formats the speed.
func (v Speed) MarshalText() ([]byte, error) { return []byte(cluster.Speed(v).String()), nil }

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
