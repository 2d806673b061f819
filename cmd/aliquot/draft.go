package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// draft is the file that a person edits.
type draft struct {
	path   string
	remark string // at the top of the file: why the text was refused; "": it was not
	text   []byte // below the remark
}

func newDraft(text []byte) (*draft, error) {
	file, err := os.CreateTemp("", "aliquot-*.yaml")
	if err != nil {
		return nil, fmt.Errorf("edit the job: %w", err)
	}
	d := &draft{path: file.Name(), text: text}
	return d, errors.Join(file.Close(), d.write())
}

func (d *draft) write() error {
	if err := os.WriteFile(d.path, append([]byte(d.remark), d.text...), 0o600); err != nil {
		return fmt.Errorf("edit the job: %w", err)
	}
	return nil
}

// refuse puts the reason above the text.
func (d *draft) refuse(why error) error {
	reason := oneLine(strings.ReplaceAll(why.Error(), "\n", " "))
	d.remark = "# This was refused: " + reason + "\n# Change it below; leave it unchanged to give up.\n"
	return d.write()
}

// open lets the person change the draft in an editor.
func (d *draft) open(ctx context.Context, a *app) error {
	editor := first(a.variable("VISUAL"), a.variable("EDITOR"), "vi")
	command := exec.CommandContext(ctx, "sh", "-c", editor+` "$1"`, "sh", d.path)
	command.Stdin, command.Stdout, command.Stderr = a.in, a.out, a.err
	failed := command.Run()
	text, err := os.ReadFile(d.path)
	if err != nil {
		return fmt.Errorf("read the edited job: %w", err)
	}
	d.text = bytes.TrimPrefix(text, []byte(d.remark))
	if failed != nil {
		return fmt.Errorf("edit the job with %s: %w", editor, failed)
	}
	return nil
}

// close removes the file, or keeps it and says where if what the person wrote would be lost.
func (d *draft) close(a *app, original []byte, failed error) error {
	var part partly
	some := errors.As(failed, &part)
	if failed == nil || bytes.Equal(d.text, original) || some && part.next == 0 {
		return errors.Join(failed, os.Remove(d.path))
	}
	rest := ""
	if some {
		rest = fmt.Sprintf(" --from %d", part.next)
	}
	a.did("What you wrote is kept. Submit %s with: aliquot job submit --file %s%s", word(some, "the rest", "it"), d.path,
		rest)
	return failed
}
