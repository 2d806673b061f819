package sweep

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// Store holds results by their keys, as they are kept in a file of JSON lines.
type Store struct {
	results map[string]Result
	bounds  map[string]Bottleneck // by digest and nodes
	foreign []int                 // versions of the results that were read and left out
}

// record is a line of a store: a result with the version of the program that got it.
type record struct {
	Version int `json:"version"`
	Result
}

// NewStore returns an empty store.
func NewStore() *Store { return &Store{results: map[string]Result{}, bounds: map[string]Bottleneck{}} }

// Foreign lists the versions of the results that were read and left out, as they are not this program's, one for each.
func (s *Store) Foreign() []int { return s.foreign }

// opening is how every line of a store begins.
const opening = `{"version":`

// Read adds the results of a file of JSON lines, and returns how many bytes of it are whole lines: what follows was
// cut short by an interruption and must be written over. Results of another version are left out, see Foreign. A line
// that is no result, or no begin of one, is an error that names the line.
func (s *Store) Read(r io.Reader) (whole int64, err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if n := min(len(line), len(opening)); err == io.EOF && string(line[:n]) != opening[:n] {
			return whole, fmt.Errorf("line %d is no result of a sweep, nor the begin of one", number)
		}
		if err == io.EOF {
			return whole, nil
		}
		if err != nil {
			return whole, fmt.Errorf("read results: %w", err)
		}
		var rec record
		if err := json.Unmarshal(line, &rec); err != nil {
			return whole, fmt.Errorf("line %d is no result of a sweep: %w", number, err)
		}
		if rec.Policy == "" || rec.Digest == "" {
			return whole, fmt.Errorf("line %d is no result of a sweep: it names no policy or no digest", number)
		}
		if rec.Version == Version {
			s.Put(rec.Result)
		} else {
			s.foreign = append(s.foreign, rec.Version)
		}
		whole += int64(len(line))
	}
}

// Put adds a result, in place of one with the same key.
func (s *Store) Put(r Result) {
	s.results[r.Key()] = r
	if r.Bound > 0 && len(r.Skipped) == 0 { // else it is the bound of other jobs
		s.bounds[boundKey(r.Trial)] = r.Bottleneck
	}
}

// Get returns the result of a trial, under the trial's own name of the trace.
func (s *Store) Get(t Trial) (Result, bool) {
	r, ok := s.results[t.Key()]
	r.Trial = t
	return r, ok
}

// Bottleneck returns the bound of all jobs of a trial's trace, if any result holds it.
func (s *Store) Bottleneck(t Trial) (Bottleneck, bool) {
	b, ok := s.bounds[boundKey(t)]
	return b, ok
}

func boundKey(t Trial) string { return fmt.Sprint(t.Digest, "|", t.Nodes) }

// All lists the results in the order of their trials.
func (s *Store) All() []Result {
	all := make([]Result, 0, len(s.results))
	for _, r := range s.results {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b Result) int { return a.Compare(b.Trial) })
	return all
}

// Line writes a result as its line of a store, in one piece.
func Line(r Result) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(record{Version, r}); err != nil {
		return nil, fmt.Errorf("encode the result of %s under %s: %w", r.Trace, r.Policy, err)
	}
	return b.Bytes(), nil
}

// WriteCSV writes results as a table, one line for each in the order given.
func WriteCSV(w io.Writer, results []Result) error {
	out := csv.NewWriter(w)
	head := []string{"trace", "nodes", "policy", "period", "penalty", "jobs", "bound"}
	for _, m := range Measures {
		head = append(head, m.Name)
	}
	_ = out.Write(append(head, "wall_seconds", "skipped", "cost", "estimates", "impossible")) // Flush tells
	for _, r := range results {
		row := []string{r.Trace, strconv.Itoa(r.Nodes), r.Policy, Number(r.Period), Number(r.Penalty), strconv.Itoa(r.Jobs), Number(r.Bound)}
		for _, m := range Measures {
			v, known := m.Of(r)
			row = append(row, map[bool]string{true: Number(v)}[known])
		}
		_ = out.Write(append(row, Number(r.Seconds), strconv.Itoa(len(r.Skipped)), cmp.Or(r.Cost, "constant"), cmp.Or(r.Estimates, "perfect"), cmp.Or(r.Impossible, "refuse")))
	}
	out.Flush()
	return out.Error()
}

// Number writes a value as CSV has it.
func Number(x float64) string { return strconv.FormatFloat(x, 'g', 8, 64) }
