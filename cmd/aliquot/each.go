package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// each calls do for all names, even if some fail, and prints what it did.
func (a *app) each(names []string, do func(string) (did string, err error)) error {
	var failed []error
	for _, name := range names {
		did, err := do(name)
		if err != nil {
			failed = append(failed, named(name, err))
			continue
		}
		a.did("%s", did)
	}
	return errors.Join(failed...)
}

// named puts the name before an error that lacks it.
func named(name string, err error) error {
	words := strings.FieldsFunc(err.Error(), func(r rune) bool { return strings.ContainsRune(" :,@", r) })
	if slices.Contains(words, name) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}
