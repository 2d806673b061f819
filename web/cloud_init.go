package web

import (
	"errors"
	"fmt"
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
	var document yaml.Node // nothing is expanded in it
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		return fmt.Errorf("is not YAML: %w", err)
	}
	if document.Kind == 0 {
		return nil
	}
	top := document.Content[0]
	if top.Kind != yaml.MappingNode {
		return errors.New("must be a mapping of YAML, like timezone: Europe/Berlin")
	}
	for i := 0; i < len(top.Content); i += 2 {
		if top.Content[i].Value == "vendor_data" {
			return errors.New("must not set vendor_data, by which the command of the job starts")
		}
	}
	return nil
}
