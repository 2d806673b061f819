package terminal

import (
	"fmt"
	"io"
	"time"
)

// A Progress shows the progress of work: on a terminal in one line that it rewrites, elsewhere in a new line from
// time to time, or not at all. It is not safe for concurrent use.
type Progress struct {
	out      io.Writer
	terminal bool
	every    time.Duration // time between two texts; 0: show none
	next     time.Time
	shown    bool // the line holds a text
	now      func() time.Time
}

// NewProgress returns a Progress that writes to out. On a terminal it begins after a second. Elsewhere it writes a
// line at the given interval, or nothing if that is 0.
func NewProgress(out io.Writer, elsewhere time.Duration) *Progress {
	p := &Progress{out: out, terminal: Size(out) != nil, every: elsewhere, now: time.Now}
	p.next = p.now().Add(elsewhere)
	if p.terminal {
		p.every, p.next = 200*time.Millisecond, p.now().Add(time.Second)
	}
	return p
}

// Terminal reports whether the text is shown in one line of a terminal.
func (p *Progress) Terminal() bool { return p.terminal }

// Show shows the text if it is time for a new one. It is cheap to call often.
func (p *Progress) Show(text func() string) {
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

// width returns the number of columns of the terminal; 0 if it is unknown.
func (p *Progress) width() int {
	if window := Size(p.out); window != nil {
		return int(window.Col)
	}
	return 0
}

// fit cuts a text to less than a line, because a second line would not be rewritten. With 0 columns every text fits.
func fit(text string, columns int) string {
	if letters := []rune(text); columns > 1 && len(letters) >= columns {
		return string(letters[:columns-2]) + "…"
	}
	return text
}

// Percent shows how much of the work is done, if the total is known.
func (p *Progress) Percent(what string, done, total int64) {
	if total > 0 {
		p.Show(func() string { return fmt.Sprintf("%s: %d%%", what, 100*done/total) })
	}
}

// Live shows the text again and again, on a terminal only, until the returned function is called. That erases the line.
func (p *Progress) Live(text func() string) (end func()) {
	if !p.terminal {
		return func() {}
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		defer p.End()
		p.showUntil(stop, text)
	}()
	return func() {
		close(stop)
		<-stopped
	}
}

func (p *Progress) showUntil(stop <-chan struct{}, text func() string) {
	tick := time.NewTicker(p.every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			p.Show(text)
		case <-stop:
			return
		}
	}
}

// End erases the line.
func (p *Progress) End() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
	p.shown = false
}
