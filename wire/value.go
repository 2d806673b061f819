package wire

import (
	"fmt"
	"math"
	"strings"

	"aliquot/cluster"
	"aliquot/wire/wirepb"
)

// text replaces invalid UTF-8, because a hypervisor or a guest may send any bytes.
func text(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func mapped[A, B any](list []A, f func(A) B) []B {
	if len(list) == 0 {
		return nil
	}
	out := make([]B, len(list))
	for i, a := range list {
		out[i] = f(a)
	}
	return out
}

func checked[A, B any](list []A, f func(A) (B, error)) ([]B, error) {
	if len(list) == 0 {
		return nil, nil
	}
	out := make([]B, len(list))
	for i, a := range list {
		b, err := f(a)
		if err != nil {
			return nil, fmt.Errorf("number %d: %w", i, err)
		}
		out[i] = b
	}
	return out, nil
}

func packRun(r cluster.RunID) *wirepb.Run {
	return &wirepb.Run{Job: uint64(r.Job), Index: int64(r.Index), Number: int64(r.Number)}
}

func unpackRun(m *wirepb.Run) (cluster.RunID, error) {
	r := cluster.RunID{Job: cluster.JobID(m.GetJob()), Index: int(m.GetIndex()), Number: int(m.GetNumber())}
	if r.Job == 0 || r.Index < 0 || r.Index > math.MaxInt32 || r.Number < 1 || r.Number > math.MaxInt32 {
		return r, fmt.Errorf("%v is no run: jobs and runs count from 1, tasks from 0", r)
	}
	return r, nil
}

func packPair(p cluster.Pair) *wirepb.Pair {
	return &wirepb.Pair{Key: text(p.Key), Value: text(p.Value)}
}

func unpackPair(m *wirepb.Pair) cluster.Pair {
	return cluster.Pair{Key: m.GetKey(), Value: m.GetValue()}
}

func packExit(e *cluster.Exit) *wirepb.Exit {
	if e == nil {
		return nil
	}
	return &wirepb.Exit{Code: int64(e.Code), Signal: text(e.Signal), Cause: text(e.Cause)}
}

func unpackExit(m *wirepb.Exit) *cluster.Exit {
	if m == nil {
		return nil
	}
	return &cluster.Exit{Code: int(m.GetCode()), Signal: words(m.GetSignal(), maxWord), Cause: words(m.GetCause(), maxText)}
}

func unpackCluster(b []byte) ([16]byte, error) {
	if len(b) != 16 {
		return [16]byte{}, fmt.Errorf("a cluster's id has 16 bytes, this has %d", len(b))
	}
	return [16]byte(b), nil
}

func texts(list []string) []string { return mapped(list, text) }
