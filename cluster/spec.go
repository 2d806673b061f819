package cluster

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
)

// Limits on specifications of jobs and on names. A test compares them with the limits that REST documents.
const (
	MaxName     = 128 // bytes of a name: of jobs and tokens, of owners and projects
	MaxTasks    = 10_000
	MaxRestarts = 1000 // after failures, per task
	MaxPairs    = 256  // environment variables, labels of a job

	// The next four are checked where jobs come in. Apply never has: there maxText holds.
	MaxSpec      = 64 << 10 // bytes of all text of a specification together
	MaxWords     = 256      // program and first arguments
	MaxArguments = 1024     // after the command
	MaxNodes     = 1000     // names of nodes in a placement

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
	switch {
	case s.Name != "" && (len(s.Name) > MaxName || !nameForm.MatchString(s.Name)):
		return invalid("name",
			"use at most %d letters, digits, dots, dashes and underscores, beginning and ending with a letter or digit", MaxName)
	case s.Tasks < 1 || s.Tasks > MaxTasks:
		return invalid("tasks", "must be from 1 to %d, not %d", MaxTasks, s.Tasks)
	case s.Need < 1 || s.Need > maxNeed:
		return invalid("cpu", "must be from 1m to %v per task, not %v", maxNeed, s.Need)
	case s.Requirement.Memory < minMemory || s.Requirement.Memory > maxMemory:
		return invalid("memory", "must be from %s to %s per task, not %s", minMemory.Words(), maxMemory.Words(),
			s.Requirement.Memory.Words())
	case s.Type != "" && (len(s.Type) > MaxName || !nameForm.MatchString(s.Type)):
		return invalid("type",
			"use at most %d letters, digits, dots, dashes and underscores, beginning and ending with a letter or digit", MaxName)
	case s.Image == "":
		return invalid("image", "is missing: name one of those that `image list` shows")
	case s.Restarts < 0 || s.Restarts > MaxRestarts:
		return invalid("restart", "must be from 0 to %d, not %d", MaxRestarts, s.Restarts)
	case s.Limits.Runtime < 0 || s.Limits.Runtime > maxRuntime:
		return invalid("limits.runtime", "must be from 0 (none) to 366 days")
	case s.Limits.LogBytes < 0 || s.Limits.LogBytes > maxLog:
		return invalid("limits.logBytes", "must be from 0 (the default) to %v", maxLog)
	case s.Network > Isolated:
		return invalid("network", "must be none or bridge")
	case s.Network != NoNetwork && s.Tasks > MaxConnected:
		return invalid("network", "is for jobs of at most %d tasks", MaxConnected)
	case s.Class > EitherClass:
		return invalid("class", "must be standard, background or either")
	case s.Reserve != nil && (s.Reserve.Start < 1 || s.Reserve.Lasts < Second || s.Reserve.Lasts > maxReserved):
		return invalid("reserve", "needs a start, and a duration from 1 s to 366 days")
	case s.Reserve != nil && s.Class != StandardClass:
		return invalid("class", "must be standard for a job that reserves an interval")
	case s.MinYield < 0 || s.MinYield > Whole:
		return invalid("minYield", "must be from 0 to 1")
	case s.MinYield > 0 && s.Class != StandardClass:
		return invalid("class", "must be standard for a job with a least yield: the background guarantees nothing")
	case s.Estimate < 0 || s.Estimate > maxRuntime:
		return invalid("estimate", "must be from 0 (none) to 366 days")
	case len(s.Env) > MaxPairs:
		return invalid("env", "at most %d variables", MaxPairs)
	case s.text() > maxText:
		return invalid("command", "command, arguments and environment together may take %d bytes", maxText)
	case badKeys(s.Env):
		return invalid("env", "names must be unique, sorted, not empty, without = and NUL")
	case badKeys(s.Labels) || len(s.Labels) > MaxPairs:
		return invalid("labels", "keys must be unique, sorted and not empty")
	case badKeys(s.Placement.Match):
		return invalid("placement.labels", "keys must be unique, sorted and not empty")
	}
	return cmp.Or(s.checkAfter(), s.checkDeadline(), s.checkBudget(), s.checkBaggage(), s.checkOutputs())
}

// Oversized returns why the spec takes too many bytes, or nil. Every manager keeps it, and so does every backup.
func (s *Spec) Oversized() *Rejection {
	if n := s.size(); n > MaxSpec {
		return invalid("", "the text of a job's specification may take %d bytes in all; this one takes %d", MaxSpec, n)
	}
	return nil
}

func invalid(field, format string, args ...any) *Rejection {
	return &Rejection{Code: CodeInvalid, Field: field, Detail: fmt.Sprintf(format, args...)}
}

// size returns the bytes of all text.
func (s *Spec) size() int {
	n := len(s.Name) + len(s.Owner) + len(s.Project) + len(s.Image) + s.text() + size(s.Labels) + size(s.Placement.Match)
	for _, node := range s.Placement.Nodes {
		n += len(node)
	}
	for _, pattern := range s.Outputs {
		n += len(pattern)
	}
	const each = 8 // bytes that an id takes
	return n + len(s.CloudInit) + size(s.Files) + len(s.Workflow) + len(s.Type) + each*len(s.After)
}

func (s *Spec) text() (n int) {
	for _, words := range [][]string{s.Command, s.Args} {
		for _, x := range words {
			n += len(x)
		}
	}
	return n + size(s.Env)
}

// size returns the bytes of the pairs' text.
func size(pairs []Pair) (n int) {
	for _, p := range pairs {
		n += len(p.Key) + len(p.Value)
	}
	return n
}

func badKeys(pairs []Pair) bool {
	for i, p := range pairs {
		if p.Key == "" || i > 0 && pairs[i-1].Key >= p.Key || slices.ContainsFunc([]byte(p.Key), func(b byte) bool {
			return b == '=' || b == 0
		}) {
			return true
		}
	}
	return false
}

// noneAllowed returns why no known node may take the job, where so many only lack a limit of its network cards.
func (s *State) noneAllowed(spec *Spec, unlimited int) *Rejection {
	none := func(field, format string, args ...any) *Rejection {
		return reject(CodeNoAllowedNode, field, format, args...).Rejection
	}
	switch {
	case !s.anyConnects(min(spec.Network, Bridged)):
		return none("network", "no node has a bridge for VMs, which is a setting of its monitor")
	case !s.anyConnects(spec.Network):
		return none("network", "no node with a bridge keeps projects apart: upgrade the monitors, or let projects reach "+
			"each other (`aliquot network set %v --open`)", s.Subnet)
	case unlimited > 0:
		return none("network", "VMs with a network are limited to %d Mbit/s, and %s that may take the job cannot limit "+
			"network cards", s.Subnet.Rate, numbered(fmt.Sprint(unlimited), "node"))
	}
	kernel := *spec
	kernel.BootsDisk = false
	for n := range s.Nodes() {
		if s.Allows(n, &kernel, "") {
			return none("image", "%s is a disk, and no node that may take the job boots disks", s.Image(spec.digest()).Name)
		}
	}
	return none("placement", "no node has the names and labels that the placement asks for")
}

// Impossible returns why the known nodes could never run the job, or nil. While no node is known it returns nil.
func (s *State) Impossible(spec *Spec) *Rejection {
	var most Offer
	var fits bool
	var allowed, unlimited, slots, known int
	charge := s.Charge(spec)
	for n := range s.Nodes() {
		known++
		if s.LacksLimit(n, spec) {
			unlimited++
		}
		if !s.Allows(n, spec, "") {
			continue
		}
		allowed++
		c := n.Capacity()
		most.CPU, most.Memory = max(most.CPU, c.CPU), max(most.Memory, c.Memory)
		fits = fits || n.Ceiling(spec) <= c.CPU
		slots += s.mostOn(n, spec, charge)
		if slots >= spec.Tasks && fits && charge <= most.Memory {
			return nil
		}
	}
	switch {
	case known == 0:
		return nil
	case allowed == 0:
		return s.noneAllowed(spec, unlimited)
	case !fits:
		return reject(CodeNeedsMoreCPU, "cpu", "a task needs %v, the largest allowed node offers %v", spec.Need,
			most.CPU).Rejection
	case charge > most.Memory:
		return reject(CodeNeedsMoreMem, "memory",
			"a task takes %s and %s, the largest allowed node offers %s, which is %s too little",
			spec.Requirement.Memory.Words(), s.overheadWords(), most.Memory.Words(), (charge - most.Memory).Words()).Rejection
	case slots < spec.Tasks && spec.Placement.Spread:
		return reject(CodeTooManyTasks, "placement",
			"the %d tasks are to be spread, one on each node, and only %s can take one", spec.Tasks,
			numbered(fmt.Sprint(slots), "allowed node")).Rejection
	case slots < spec.Tasks:
		floor := ""
		if spec.MinYield > 0 {
			floor = fmt.Sprintf(" and at least %v of CPU", spec.MinShare())
		}
		return reject(CodeTooManyTasks, "tasks",
			"at most %s of %s%s (each with %s) fit into the allowed nodes together, not %d", numbered(fmt.Sprint(slots), "task"),
			spec.Requirement.Memory.Words(), floor, s.overheadWords(), spec.Tasks).Rejection
	}
	return nil
}

// mostOn returns the number of tasks that fit on a node that has nothing else. Their floors count on all of its CPU,
// because what else runs there is a matter of the moment.
func (s *State) mostOn(n *Node, spec *Spec, charge Bytes) int {
	c := n.Capacity()
	most := int(c.Memory / charge)
	if s.Format >= keepsParts {
		c.CPU = n.Description.CPU
	}
	if spec.MinYield > 0 && s.Format >= floorsFit {
		most = min(most, int(c.CPU/spec.MinShare()))
	}
	if spec.Placement.Spread {
		return min(1, most)
	}
	return most
}

// overheadWords says how much overhead is charged per VM, and which node asks for so much.
func (s *State) overheadWords() string {
	for n := range s.Nodes() {
		if n.Description.Overhead == s.overhead && s.overhead > 0 {
			return fmt.Sprintf("%s of overhead, which node %s asks for", s.overhead.Words(), n.Name)
		}
	}
	return s.overhead.Words() + " of overhead"
}
