package main

import (
	"errors"
	"fmt"
	"time"
)

// scene is what was seen of a pair of VMs. Fractions are in parts per million.
type scene struct {
	Mechanism string
	Turn      int   // ms; 0: the foreground always works
	Back      []int // per window: the background's part of the CPU time of both; in turns, of what the foreground left
	Front     []int // per window: the foreground's CPU time
	Alone     []int // the same while the background was frozen, before, between and after those windows
	Lost      []int // per window in turns: the foreground's work that is missing, against the two windows around it
}

// window is what a pair did between two lines of the foreground's guest.
type window struct {
	took        time.Duration
	front, back time.Duration
	work        float64 // rounds per tick of the clock
}

// scene measures a pair under a mechanism.
func (n *node) scene(name string, turn int) (*scene, error) {
	mechanism := mechanisms[name]
	if mechanism == nil {
		return nil, errors.New("no such mechanism")
	}
	front, err := n.start(turn)
	if err != nil {
		return nil, err
	}
	defer n.hypervisor.Destroy(n.ctx, front.VM)
	back, err := n.start(0)
	if err != nil {
		return nil, err
	}
	defer n.hypervisor.Destroy(n.ctx, back.VM)
	if err := mechanism(n, back); err != nil {
		return nil, err
	}
	s := &scene{Mechanism: name, Turn: turn}
	if turn == 0 {
		return s, n.spin(s, front, back)
	}
	return s, n.turns(s, front, back)
}

func ppm(part, whole time.Duration) int { return int(1_000_000 * part / whole) }

// spin measures both VMs working all the time.
func (n *node) spin(s *scene, front, back *machine) error {
	for range spinWindows {
		w, err := n.window(front, back, spinWindow)
		if err != nil {
			return err
		}
		s.Back = append(s.Back, ppm(w.back, w.front+w.back))
		s.Front = append(s.Front, ppm(w.front, w.took))
	}
	return nil
}

// turns measures the foreground alone and beside the background, over and over.
func (n *node) turns(s *scene, front, back *machine) error {
	before, err := n.alone(front, back)
	if err != nil {
		return err
	}
	s.Alone = append(s.Alone, ppm(before.front, before.took))
	for began := time.Now(); time.Since(began) < turnTime; {
		with, err := n.window(front, back, turnWindow)
		if err != nil {
			return err
		}
		after, err := n.alone(front, back)
		if err != nil {
			return err
		}
		s.Back = append(s.Back, ppm(with.back, with.took-with.front))
		s.Front = append(s.Front, ppm(with.front, with.took))
		s.Alone = append(s.Alone, ppm(after.front, after.took))
		s.Lost = append(s.Lost, int(1_000_000*(1-2*with.work/(before.work+after.work))))
		before = after
	}
	return nil
}

// alone measures the foreground while the background is frozen.
func (n *node) alone(front, back *machine) (window, error) {
	if err := n.hypervisor.Freeze(n.ctx, back.VM); err != nil {
		return window{}, err
	}
	w, err := n.window(front, back, turnWindow)
	return w, errors.Join(err, n.hypervisor.Thaw(n.ctx, back.VM))
}

// window measures from one line of the foreground's guest to another.
func (n *node) window(front, back *machine, long time.Duration) (window, error) {
	begin, err := n.look(front, back)
	if err != nil {
		return window{}, err
	}
	time.Sleep(long)
	end, err := n.look(front, back)
	if err != nil {
		return window{}, err
	}
	if end.clock == begin.clock {
		return window{}, fmt.Errorf("the guest's clock stands still")
	}
	return window{end.at.Sub(begin.at), end.front - begin.front, end.back - begin.back,
		float64(end.rounds-begin.rounds) / float64(end.clock-begin.clock)}, nil
}

// look is what both VMs have done so far.
type look struct {
	done
	at          time.Time
	front, back time.Duration
}

func (n *node) look(front, back *machine) (l look, err error) {
	if l.done, err = n.work(front); err != nil {
		return l, err
	}
	l.at = time.Now()
	if l.front, err = front.account.used(); err != nil {
		return l, err
	}
	l.back, err = back.account.used()
	return l, err
}
