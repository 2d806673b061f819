package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"

	"go.yaml.in/yaml/v3"
)

// maxFile bounds a configuration file in bytes.
const maxFile = 1 << 20

// Decode reads YAML over what target holds. An unknown key, a value of the wrong kind and a
// second document are errors that name their line.
func Decode(text []byte, target any) error {
	if len(text) > maxFile {
		return fmt.Errorf("it has %d bytes; a configuration has at most %d", len(text), maxFile)
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(target); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if err := d.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return errors.New("there is more after the end of the configuration")
	}
	return nil
}

// Encode writes the configuration as YAML.
func Encode(target any) ([]byte, error) { return yaml.Marshal(target) }

// Environment sets the keys that are in the environment; look is os.LookupEnv.
func Environment(target any, look func(string) (string, bool)) error {
	for k := range Keys(target) {
		if text, ok := look(k.Variable()); ok {
			if err := k.Set(text); err != nil {
				return fmt.Errorf("environment variable %s: %w", k.Variable(), err)
			}
		}
	}
	return nil
}

// Merge overwrites into with the keys of from whose flags were given.
func Merge(into, from any, given func(name string) bool) {
	source := reflect.ValueOf(from).Elem()
	target := reflect.ValueOf(into).Elem()
	for i := range source.NumField() {
		if given(source.Type().Field(i).Tag.Get("yaml")) {
			target.Field(i).Set(source.Field(i))
		}
	}
}
