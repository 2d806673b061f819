package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"aliquot/internal/stop"
)

// confirm asks the person at the terminal, and fails if the answer is not yes. It refuses where nobody can answer.
func (a *app) confirm(ctx context.Context, question string) error {
	if !a.person {
		return usagef("nobody can be asked here: add --yes to do it")
	}
	yes, err := a.ask(ctx, question)
	if err == nil && !yes {
		a.did("Nothing is done.")
		return silent{errors.New("not confirmed")}
	}
	return err
}

// ask returns whether the person at the terminal answers yes.
func (a *app) ask(ctx context.Context, question string) (yes bool, err error) {
	fmt.Fprintf(a.err, "%s [y/N] ", question)
	answer, err := stop.Unless(ctx, func() (string, error) { return bufio.NewReader(a.in).ReadString('\n') })
	if errors.Is(err, stop.Err) {
		return false, err
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes", nil
}
