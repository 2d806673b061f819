package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"aliquot/internal/file"
)

// secretFile is the file for an answer that holds a secret.
type secretFile struct {
	path  string
	force bool
}

func (s *secretFile) flags(to *pflag.FlagSet) {
	to.StringVar(&s.path, "out", "", "write it to this file, which only you can read, instead of printing it")
	to.BoolVar(&s.force, "force", false, "replace the file of --out")
}

// check refuses a file that cannot be written, before the secret is made: it is shown only once.
func (s *secretFile) check() error {
	if s.path == "" {
		return nil
	}
	return errors.Join(vacant(s.force, s.path), file.Writable(s.path))
}

// showSecret shows an answer with a secret or writes it to the file. name says what it is the secret of.
func (a *app) showSecret(value any, to *secretFile, plain, name string) error {
	line := func(w io.Writer) { fmt.Fprintln(w, plain) }
	if to.path == "" {
		return a.show(value, line)
	}
	printed := a.out
	defer func() { a.out = printed }()
	err := file.WriteSecret(to.path, func(w io.Writer) error {
		a.out = w
		return a.show(value, line)
	})
	if err == nil {
		a.did("%s holds the token %s; only you can read it.", to.path, name)
	}
	return err
}
