package cluster

import (
	"errors"
	"fmt"
	"math"
)

// The functions of this file are called by the generated decoding. Each checks what all code relies on and only damage
// or a stranger's data could lack.

func checkJob(j *Job) error { return checkSpecified(j.Spec) }

func checkSubmit(a *Submit) error { return checkSpecified(a.Spec) }

func checkJobOffer(o *JobOffer) error { return checkSpecified(o.Spec) }

func checkStanding(o *Standing) error { return checkSpecified(o.Spec) }

func checkStand(a *Stand) error { return checkSpecified(a.Spec) }

func checkStep(s *Step) error { return checkSpecified(s.Spec) }

func checkSpecified(s *Spec) error {
	if s == nil {
		return errors.New("a job without a specification")
	}
	return nil
}

func checkTaskID(t *TaskID) error { return checkCount(t.Index) }

func checkRunID(r *RunID) error { return errors.Join(checkCount(r.Index), checkCount(r.Number)) }

// checkCount refuses an index or a count that is negative or absurd.
func checkCount(n int) error {
	if n < 0 || n > math.MaxInt32 {
		return fmt.Errorf("%d is no index nor count", n)
	}
	return nil
}

func checkRunTimes(r *RunTimes) error {
	if !r.sound() {
		return fmt.Errorf("%q ran for %v in %d runs", r.Type, r.Latest, r.Runs)
	}
	return nil
}

func checkBoots(b *Boots) error {
	if !b.sound() {
		return fmt.Errorf("VMs of %q took %v to start", b.Digest, b.Latest)
	}
	return nil
}

func checkRaise(a *Raise) error {
	if a.Format > LatestFormat {
		return fmt.Errorf("format %d is to be in force, known up to %d: %w", a.Format, LatestFormat, ErrNewer)
	}
	return nil
}
