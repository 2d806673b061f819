package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
)

// maxFile bounds a configuration file in bytes.
const maxFile = 1 << 20

// Decode reads YAML into target and keeps the values that the YAML does not set. Errors name the line:
// an unknown key, a key given twice, a value of the wrong kind, a second document.
func Decode(text []byte, target any) error {
	if len(text) > maxFile {
		return fmt.Errorf("it has %d bytes; a configuration has at most %d", len(text), maxFile)
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	var document yaml.Node
	if err := d.Decode(&document); errors.Is(err, io.EOF) {
		return nil
	} else if err != nil {
		return err
	}
	if err := d.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return errors.New("there is more after the end of the configuration")
	}
	return fill(document.Content[0], target)
}

// fill sets the keys of a mapping.
func fill(n *yaml.Node, target any) error {
	if n.Tag == "!!null" {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: settings are written as `key: value`", n.Line)
	}
	keys, known := map[string]Key{}, []string{}
	for k := range Keys(target) {
		keys[k.Name] = k
		known = append(known, k.Name)
	}
	seen := map[string]bool{}
	for i := 0; i < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		k, ok := keys[name.Value]
		switch {
		case !ok:
			return fmt.Errorf("line %d: there is no key %q; known are %s", name.Line, name.Value, strings.Join(known, ", "))
		case seen[name.Value]:
			return fmt.Errorf("line %d: %s is there twice", name.Line, name.Value)
		}
		seen[name.Value] = true
		if err := k.take(value); err != nil {
			return fmt.Errorf("line %d: %w", value.Line, err)
		}
	}
	return nil
}

// take sets the key from YAML: a list key from a list, any other key from a plain value.
func (k Key) take(n *yaml.Node) error {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	list, wanted := k.value.Addr().Interface().(*[]string)
	switch {
	case wanted && n.Kind == yaml.SequenceNode:
		*list = make([]string, len(n.Content))
		for i, item := range n.Content {
			if item.Kind != yaml.ScalarNode {
				return fmt.Errorf("%s: entry %d is not plain text", k.Name, i+1)
			}
			(*list)[i] = item.Value
		}
		return nil
	case wanted:
		return fmt.Errorf("%s: write a list: [a, b]", k.Name)
	case n.Kind != yaml.ScalarNode || n.Tag == "!!null":
		return fmt.Errorf("%s: one plain value is wanted", k.Name)
	}
	return k.Set(n.Value)
}

// Encode writes the configuration as YAML.
func Encode(target any) ([]byte, error) { return yaml.Marshal(target) }

// Environment sets the keys that the environment defines. The caller passes os.LookupEnv as look.
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

// Merge copies the keys whose flags were given from one configuration into another.
func Merge(into, from any, given func(name string) bool) {
	source := reflect.ValueOf(from).Elem()
	target := reflect.ValueOf(into).Elem()
	for i := range source.NumField() {
		if given(source.Type().Field(i).Tag.Get("yaml")) {
			target.Field(i).Set(source.Field(i))
		}
	}
}
