package main

import (
	"fmt"
	"io"
	"time"
)

// progress shows how far a piece of work is: on a terminal in one line that it keeps writing over; elsewhere, if it
// is to show anything there, by a line now and then.
type progress struct {
	out      io.Writer
	terminal bool
	every    time.Duration // between two texts; 0: none is shown
	next     time.Time
	shown    bool // something that is to be wiped away
	now      func() time.Time
}

// progress begins to show what is shown after a moment only, elsewhere than on terminals every so often; 0: never.
func (a *app) progress(elsewhere time.Duration) *progress { return newProgress(a.err, elsewhere) }

func newProgress(out io.Writer, elsewhere time.Duration) *progress {
	p := &progress{out: out, terminal: terminal(out) != nil, every: elsewhere, now: time.Now}
	p.next = p.now().Add(elsewhere)
	if p.terminal {
		p.every, p.next = 200*time.Millisecond, p.now().Add(time.Second)
	}
	return p
}

// show shows the text if it is time to; it is cheap to call often.
func (p *progress) show(text func() string) {
	if p.every == 0 {
		return
	}
	now := p.now()
	if now.Before(p.next) {
		return
	}
	p.next = now.Add(p.every)
	if !p.terminal {
		fmt.Fprintln(p.out, text())
		return
	}
	p.shown = true
	fmt.Fprintf(p.out, "\r%s\x1b[K", fit(text(), p.width()))
}

// width is how many columns the terminal has now; 0: nobody knows.
func (p *progress) width() int {
	if window := terminal(p.out); window != nil {
		return int(window.Col)
	}
	return 0
}

// fit cuts a text so that it does not go on in a second line, which would not be written over; 0 columns: it fits.
func fit(text string, columns int) string {
	if letters := []rune(text); columns > 1 && len(letters) >= columns {
		return string(letters[:columns-2]) + "…"
	}
	return text
}

// percent shows how much of a thing is done.
func (p *progress) percent(what string, done, total int64) {
	if total > 0 {
		p.show(func() string { return fmt.Sprintf("%s: %d%%", what, 100*done/total) })
	}
}

// end wipes the line away.
func (p *progress) end() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
	p.shown = false
}
