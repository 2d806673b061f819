package main

import (
	"errors"
	"io"
)

// errLeft is the end of a terminal's command by the escape.
var errLeft = errors.New("left by ~.: the command has been killed")

// An escape passes on what is typed at a terminal, and calls leave when "~." is typed at the beginning of a line, as in
// ssh: also if whatever runs there takes no key any more. "~~" types one tilde.
type escape struct {
	in    io.Reader
	leave func()
	line  bool // the last key is part of a line
	held  bool // a tilde at the beginning of a line
	over  bool // the escape was typed
	ready []byte
}

func (e *escape) Read(p []byte) (int, error) {
	var keys [512]byte
	for len(e.ready) == 0 {
		if e.over {
			e.leave()
			return 0, io.EOF
		}
		n, err := e.in.Read(keys[:])
		for _, key := range keys[:n] {
			e.take(key)
		}
		if err != nil && len(e.ready) == 0 && !e.over {
			return 0, err
		}
	}
	n := copy(p, e.ready)
	e.ready = e.ready[n:]
	return n, nil
}

// take takes one key. Those after the escape are for nobody.
func (e *escape) take(key byte) {
	switch {
	case e.over:
		return
	case e.held && key == '.':
		e.over = true
		return
	case !e.line && !e.held && key == '~':
		e.held = true
		return
	case e.held && key != '~':
		e.ready = append(e.ready, '~')
	}
	e.ready, e.held, e.line = append(e.ready, key), false, key != '\r' && key != '\n'
}
