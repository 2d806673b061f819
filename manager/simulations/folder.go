package simulations

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"aliquot/web"
	"aliquot/web/api"
)

// ReadOrder reads a child's order from its folder, without the trace.
func ReadOrder(folder string) (o web.SimulationOrder, err error) {
	text, err := os.ReadFile(filepath.Join(folder, orderFile))
	if err == nil {
		err = json.Unmarshal(text, &o)
	}
	if err != nil {
		return o, fmt.Errorf("read the order: %w", err)
	}
	return o, nil
}

// OpenTrace opens the trace of a child's order, which may be large.
func OpenTrace(folder string) (*os.File, error) { return os.Open(filepath.Join(folder, traceFile)) }

// writeTrace writes a trace without a copy of it.
func writeTrace(path, trace string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(trace)
	return errors.Join(err, file.Close())
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
