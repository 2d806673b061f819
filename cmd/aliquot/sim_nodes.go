package main

import (
	"context"
	"fmt"
	"strconv"

	"aliquot/sim"
)

// takeNodes takes what --nodes says: the number of nodes, or a file that describes them.
func (a *app) takeNodes(ctx context.Context, s *simRun) error {
	if n, err := strconv.Atoi(s.text); err == nil {
		s.nodes = n
		return nil
	}
	in, err := a.input(ctx, s.text)
	if err != nil {
		return usage{fmt.Errorf("--nodes takes a number or a file: %w", err)}
	}
	defer in.Close()
	if s.unlike, err = sim.ReadNodes(in); err != nil {
		return usage{fmt.Errorf("%s: %w", s.text, err)}
	}
	s.nodes = len(s.unlike)
	return nil
}
