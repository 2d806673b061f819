package past

import (
	"encoding/json"
	"errors"
	"math"

	"aliquot/cluster"
)

// Value is a number of a record; NaN is unknown, and null in JSON.
type Value float32

// MarshalJSON returns the number, or null.
func (v Value) MarshalJSON() ([]byte, error) {
	if x := float64(v); math.IsNaN(x) || math.IsInf(x, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float32(v))
}

// UnmarshalJSON reads a number or null.
func (v *Value) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*v = Value(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float32)(v))
}

// RunKey names a run in JSON.
type RunKey cluster.RunID

// MarshalText returns the run's id.
func (r RunKey) MarshalText() ([]byte, error) { return []byte(cluster.RunID(r).String()), nil }

// UnmarshalText reads the run's id.
func (r *RunKey) UnmarshalText(text []byte) error {
	id, err := cluster.ParseRunID(string(text))
	*r = RunKey(id)
	return err
}

// Record is what a leader knows of one minute: rows of the series. A record on disk or from another manager may be
// damaged, or of another version: rows may be shorter or longer than the series.
type Record struct {
	At      cluster.Time               `json:"at"` // beginning of the minute
	Cluster []Value                    `json:"cluster,omitempty"`
	Nodes   map[cluster.NodeID][]Value `json:"nodes,omitempty"`
	Runs    map[RunKey][]Value         `json:"runs,omitempty"`
}

// Split returns the rows of the cluster, and those of nodes and runs.
func (r *Record) Split() (whole, parts Record) {
	return Record{At: r.At, Cluster: r.Cluster}, Record{At: r.At, Nodes: r.Nodes, Runs: r.Runs}
}

var errRecord = errors.New("not a record of a minute")

// Decode reads a record.
func Decode(text []byte) (r Record, err error) {
	if err := json.Unmarshal(text, &r); err != nil {
		return r, err
	}
	if r.At <= 0 || r.At%cluster.Minute != 0 {
		return r, errRecord
	}
	return r, nil
}

// Encode returns the record in one line of JSON, without its end.
func (r *Record) Encode() []byte {
	text, err := json.Marshal(r)
	if err != nil {
		panic("past: a record cannot be encoded: " + err.Error())
	}
	return text
}

func valuesOf(row []float64) []Value {
	if row == nil {
		return nil
	}
	values := make([]Value, len(row))
	for i, x := range row {
		values[i] = Value(x)
	}
	return values
}

// rowOf returns a row with that number of columns.
func rowOf(values []Value, columns int) []float64 {
	row := make([]float64, columns)
	for i := range row {
		if row[i] = math.NaN(); i < len(values) {
			row[i] = float64(values[i])
		}
	}
	return row
}
