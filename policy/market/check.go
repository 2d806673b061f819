package market

import (
	"fmt"
)

// Check judges a plan on slots without the code that made it: every task has its processors on slots that last long
// enough and are not overdrawn, begins after its parents, and the cost and the makespan are right.
func (a *Advertised) Check(p Plan) error {
	if err := a.checkTimes(p); err != nil {
		return err
	}
	var cost Price
	for k, s := range a.Slots {
		var used use
		for i, place := range p.Places {
			t := a.Tasks[i]
			for _, part := range place.Parts {
				if part.Slot != k {
					continue
				}
				end := place.Start + max(t.Run, 1) // the slot is open at the start of a task without run time, too
				if s.Site != place.Site || place.Start < s.Start || end > s.End && !s.Extensible {
					return fmt.Errorf("task %s does not fit slot %d", t.Name, k)
				}
				if n := max(part.Procs, a.inUse(p, k, place.Start)); n > s.Procs {
					return fmt.Errorf("slot %d has %d processors, not %d", k, s.Procs, n)
				}
				used.add(part.Procs, place.Start, place.Start+t.Run)
			}
		}
		cost += s.price(used)
	}
	if cost != p.Cost {
		return fmt.Errorf("the plan costs %d, not %d", cost, p.Cost)
	}
	return nil
}

// inUse returns the number of processors of a slot that tasks use at a time.
func (a *Advertised) inUse(p Plan, slot int, at Time) (n int) {
	for i, place := range p.Places {
		for _, part := range place.Parts {
			if part.Slot == slot && place.Start <= at && at < place.Start+a.Tasks[i].Run {
				n += part.Procs
			}
		}
	}
	return n
}

// checkTimes judges the processors, the order and the makespan.
func (a *Advertised) checkTimes(p Plan) error {
	for i, place := range p.Places {
		sum := 0
		for _, part := range place.Parts {
			sum += part.Procs
		}
		if sum != a.Tasks[i].Procs {
			return fmt.Errorf("task %s has %d processors, not %d", a.Tasks[i].Name, sum, a.Tasks[i].Procs)
		}
	}
	return a.Workflow.check(p)
}

// check judges the order of the tasks and the makespan.
func (w *Workflow) check(p Plan) error {
	var last Time
	for i, place := range p.Places {
		for _, parent := range w.parents[i] {
			from := p.Places[parent.task]
			need := from.Start + w.Tasks[parent.task].Run
			if from.Site != place.Site {
				need += parent.transfer
			}
			if place.Start < need {
				return fmt.Errorf("task %s begins at %d, before %d", w.Tasks[i].Name, place.Start, need)
			}
		}
		last = max(last, place.Start+w.Tasks[i].Run)
	}
	if last != p.Makespan {
		return fmt.Errorf("the makespan is %d, not %d", last, p.Makespan)
	}
	return nil
}
