package simulations

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"aliquot/web"
	"aliquot/web/api"
)

// ReadOrder reads a child's order from its folder.
func ReadOrder(folder string) (o web.SimulationOrder, err error) {
	text, err := os.ReadFile(filepath.Join(folder, orderFile))
	if err == nil {
		err = json.Unmarshal(text, &o)
	}
	if err != nil {
		return o, fmt.Errorf("read the order: %w", err)
	}
	trace, err := os.ReadFile(filepath.Join(folder, traceFile))
	if err != nil {
		return o, fmt.Errorf("read the trace: %w", err)
	}
	o.Trace = string(trace)
	return o, nil
}

// WriteReport writes a simulation's report to its folder, atomically.
func WriteReport(folder string, report api.SimulationReport) error {
	text, err := json.Marshal(report)
	if err != nil {
		return fmt.Errorf("encode the report: %w", err)
	}
	if err := replace(filepath.Join(folder, reportFile), text); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// replace writes a file atomically.
func replace(path string, text []byte) error {
	partial := path + ".partial"
	if err := os.WriteFile(partial, text, 0o600); err != nil {
		return err
	}
	return os.Rename(partial, path)
}
