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

// Store holds results by their keys. Its file has one JSON line per result.
type Store struct {
	results map[string]Result
	bounds  map[string]Bottleneck // by digest and nodes
	foreign []int                 // versions of the results that Read skipped
}

// record is a line of a store: a result with the version of the program that computed it.
type record struct {
	Version int `json:"version"`
	Result
}

// NewStore returns an empty store.
func NewStore() *Store { return &Store{results: map[string]Result{}, bounds: map[string]Bottleneck{}} }

// Foreign returns the versions of the results that Read skipped because another version computed them, one for each
// result.
func (s *Store) Foreign() []int { return s.foreign }

// opening is the beginning of every line of a store.
const opening = `{"version":`

// Read adds the results of a file of JSON lines. It returns the number of bytes in whole lines: an interruption cut
// short the rest, which must be overwritten. It skips results of another version, see Foreign. A line that is neither
// a result nor the beginning of one is an error with the number of the line.
func (s *Store) Read(r io.Reader) (whole int64, err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if n := min(len(line), len(opening)); err == io.EOF && string(line[:n]) != opening[:n] {
			return whole, fmt.Errorf("line %d is neither a result of a sweep nor the beginning of one", number)
		}
		if err == io.EOF {
			return whole, nil
		}
		if err != nil {
			return whole, fmt.Errorf("read results: %w", err)
		}
		var rec record
		if err := json.Unmarshal(line, &rec); err != nil {
			return whole, fmt.Errorf("line %d is not a result of a sweep: %w", number, err)
		}
		if rec.Policy == "" || rec.Digest == "" {
			return whole, fmt.Errorf("line %d is not a result of a sweep: it names no policy or no digest", number)
		}
		if rec.Version == Version {
			s.Put(rec.Result)
		} else {
			s.foreign = append(s.foreign, rec.Version)
		}
		whole += int64(len(line))
	}
}

// Put adds a result and replaces one with the same key.
func (s *Store) Put(r Result) {
	s.results[r.Key()] = r
	if r.Bound > 0 && len(r.Excluded()) == 0 { // otherwise it is the bound of other jobs
		s.bounds[boundKey(r.Trial)] = r.Bottleneck
	}
}

// Get returns the result of a trial, with the trial's own name of the trace.
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

// All returns the results in the order of their trials.
func (s *Store) All() []Result {
	all := make([]Result, 0, len(s.results))
	for _, r := range s.results {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b Result) int { return a.Compare(b.Trial) })
	return all
}

// Line returns a result as one line of a store.
func Line(r Result) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(record{Version, r}); err != nil {
		return nil, fmt.Errorf("encode the result of %s under %s: %w", r.Trace, r.Policy, err)
	}
	return b.Bytes(), nil
}

// WriteCSV writes results as a table, one line for each, in the given order.
func WriteCSV(w io.Writer, results []Result) error {
	out := csv.NewWriter(w)
	head := []string{"trace", "nodes", "policy", "period", "penalty", "jobs", "bound"}
	for _, m := range Measures {
		head = append(head, m.Name)
	}
	// Flush returns the error.
	_ = out.Write(append(head, "wall_seconds", "skipped", "cost", "estimates", "impossible", "events"))
	for _, r := range results {
		row := []string{r.Trace, strconv.Itoa(r.Nodes), r.Policy, Number(r.Period), Number(r.Penalty), strconv.Itoa(r.Jobs),
			Number(r.Bound)}
		for _, m := range Measures {
			v, known := m.Of(r)
			row = append(row, map[bool]string{true: Number(v)}[known])
		}
		_ = out.Write(append(row, Number(r.Seconds), strconv.Itoa(len(r.Skipped)), cmp.Or(r.Cost, "constant"),
			cmp.Or(r.Estimates, "perfect"), cmp.Or(r.Impossible, "refuse"), r.Events))
	}
	out.Flush()
	return out.Error()
}

// Number formats a value for CSV.
func Number(x float64) string { return strconv.FormatFloat(x, 'g', 8, 64) }
