package cluster

import (
	"fmt"
	"regexp"
	"slices"
)

// Limits of what a spec may ask for.
const (
	maxName    = 128
	maxEnv     = 256
	maxText    = 64 << 10 // bytes of command, arguments and environment in all
	maxNeed    = 1024 * Core
	minMemory  = 16 * MiB
	maxMemory  = 16 << 20 * MiB
	maxRuntime = 366 * 24 * Hour
	maxLog     = 1 << 10 * MiB
)

var nameForm = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$`)

// Validate checks the spec by itself; whether the cluster could ever run it is checked when it is submitted.
func (s *Spec) Validate() *Rejection {
	for _, rule := range []struct {
		broken bool
		field  string
		detail string
	}{
		{s.Name != "" && (len(s.Name) > maxName || !nameForm.MatchString(s.Name)), "name", fmt.Sprintf("use at most %d letters, digits, dots, dashes and underscores, beginning and ending with a letter or digit", maxName)},
		{s.Tasks < 1 || s.Tasks > maxTasks, "tasks", fmt.Sprintf("must be from 1 to %d, not %d", maxTasks, s.Tasks)},
		{s.Need < 1 || s.Need > maxNeed, "cpu", fmt.Sprintf("must be from 1m to %v per task, not %v", maxNeed, s.Need)},
		{s.Requirement.Memory < minMemory || s.Requirement.Memory > maxMemory, "memory", fmt.Sprintf("must be from %v to %v per task, not %v", minMemory, maxMemory, s.Requirement.Memory)},
		{s.Image == "", "image", "is missing: name one of those that `image list` shows"},
		{s.Restarts < 0 || s.Restarts > 1000, "restart", fmt.Sprintf("must be from 0 to 1000, not %d", s.Restarts)},
		{s.Limits.Runtime < 0 || s.Limits.Runtime > maxRuntime, "limits.runtime", "must be from 0 (none) to 366 days"},
		{s.Limits.LogBytes < 0 || s.Limits.LogBytes > maxLog, "limits.logBytes", fmt.Sprintf("must be from 0 (the default) to %v", maxLog)},
		{s.Estimate < 0 || s.Estimate > maxRuntime, "estimate", "must be from 0 (none) to 366 days"},
		{len(s.Env) > maxEnv, "env", fmt.Sprintf("at most %d variables", maxEnv)},
		{s.text() > maxText, "command", fmt.Sprintf("command, arguments and environment together may take %d bytes", maxText)},
		{badKeys(s.Env), "env", "names must be unique, sorted, not empty, without = and NUL"},
		{badKeys(s.Labels) || len(s.Labels) > maxEnv, "labels", "keys must be unique, sorted and not empty"},
		{badKeys(s.Placement.Match), "placement.labels", "keys must be unique, sorted and not empty"},
	} {
		if rule.broken {
			return &Rejection{Code: CodeInvalid, Field: rule.field, Detail: rule.detail}
		}
	}
	return nil
}

func (s *Spec) text() (n int) {
	for _, x := range slices.Concat(s.Command, s.Args) {
		n += len(x)
	}
	for _, p := range s.Env {
		n += len(p.Key) + len(p.Value)
	}
	return n
}

func badKeys(pairs []Pair) bool {
	for i, p := range pairs {
		if p.Key == "" || i > 0 && pairs[i-1].Key >= p.Key || slices.ContainsFunc([]byte(p.Key), func(b byte) bool { return b == '=' || b == 0 }) {
			return true
		}
	}
	return false
}

// Impossible says why the cluster as it is known could never run the job, or nil. With
// no node known nothing is impossible.
func (s *State) Impossible(spec *Spec) *Rejection {
	var most Offer
	var allowed, slots, known int
	charge := s.Charge(spec)
	for n := range s.Nodes() {
		known++
		if !n.Allows(spec, "") {
			continue
		}
		allowed++
		c := n.Capacity()
		most.CPU, most.Memory = max(most.CPU, c.CPU), max(most.Memory, c.Memory)
		if spec.Placement.Spread {
			slots += min(1, int(c.Memory/charge))
		} else {
			slots += int(c.Memory / charge)
		}
	}
	switch {
	case known == 0:
		return nil
	case allowed == 0:
		return &Rejection{CodeNoAllowedNode, "placement", fmt.Sprintf("none of the %d nodes has the names and labels that the placement asks for", known)}
	case spec.Need > most.CPU:
		return &Rejection{CodeNeedsMoreCPU, "cpu", fmt.Sprintf("a task needs %v, the largest allowed node offers %v", spec.Need, most.CPU)}
	case charge > most.Memory:
		return &Rejection{CodeNeedsMoreMem, "memory", fmt.Sprintf("a task takes %v and %v of overhead, the largest allowed node offers %v", spec.Requirement.Memory, s.overhead, most.Memory)}
	case slots < spec.Tasks:
		return &Rejection{CodeTooManyTasks, "tasks", fmt.Sprintf("at most %d tasks of %v (and %v of overhead each) fit into the allowed nodes together, not %d", slots, spec.Requirement.Memory, s.overhead, spec.Tasks)}
	}
	return nil
}
