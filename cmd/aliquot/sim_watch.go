package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"aliquot/sim"
)

// simWatch shows on one line how far a run has come.
type simWatch struct {
	name   string
	begin  time.Time
	out    io.Writer
	shows  bool
	shown  time.Time
	length int
}

func (s *simWatch) show(p sim.Progress) {
	if now := time.Now(); s.shows && now.Sub(s.shown) > 200*time.Millisecond {
		s.shown = now
		s.line(fmt.Sprintf("%s: %d of %d jobs have ended, %d are there; %s of the stream in %s",
			s.name, p.Ended, p.Jobs, p.Submitted-p.Ended, span(p.Now.Seconds()), now.Sub(s.begin).Round(time.Second)))
	}
}

// line replaces what the line showed.
func (s *simWatch) line(text string) {
	fmt.Fprintf(s.out, "\r%s%s", text, strings.Repeat(" ", max(0, s.length-len(text))))
	s.length = len(text)
}

func (s *simWatch) clear() {
	if s.length > 0 {
		s.line("")
		fmt.Fprint(s.out, "\r")
	}
}
