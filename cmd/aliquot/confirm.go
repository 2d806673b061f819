package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"aliquot/internal/stop"
)

// confirm asks the person at the terminal. It refuses where nobody can answer.
func (a *app) confirm(ctx context.Context, question string) error {
	if !a.person {
		return usagef("nobody can be asked here: add --yes to do it")
	}
	fmt.Fprintf(a.err, "%s [y/N] ", question)
	answer, err := stop.Unless(ctx, func() (string, error) { return bufio.NewReader(a.in).ReadString('\n') })
	if errors.Is(err, stop.Err) {
		return err
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	a.did("Nothing is done.")
	return silent{errors.New("not confirmed")}
}
