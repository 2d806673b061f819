package web

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// cloudConfig returns an error unless the text is user-data that cloud-init can read beside ours, or empty. Its keys
// are cloud-init's business, but for the one that would switch ours off.
func cloudConfig(text string) error {
	if text == "" {
		return nil
	}
	if first, _, _ := strings.Cut(text, "\n"); strings.TrimSpace(first) != "#cloud-config" {
		return errors.New("must begin with the line #cloud-config")
	}
	config, err := mapping(text)
	if err != nil {
		return err
	}
	if _, ok := config["vendor_data"]; ok {
		return errors.New("must not set vendor_data, by which the command of the job starts")
	}
	return nil
}

// mapping reads YAML of one document, as cloud-init does: with the keys that are merged in. A key must not come twice:
// readers differ in which one counts.
func mapping(text string) (all map[string]any, err error) {
	var document, more yaml.Node
	from := yaml.NewDecoder(strings.NewReader(text))
	if err := from.Decode(&document); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("is not YAML: %w", err)
	}
	if err := from.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, errors.New("must be one document of YAML")
	}
	if document.Content[0].Kind != yaml.MappingNode {
		return nil, errors.New("must be a mapping of YAML, like timezone: Europe/Berlin")
	}
	if err := document.Decode(&all); err != nil {
		return nil, fmt.Errorf("is not YAML: %w", err)
	}
	return all, nil
}
