package cluster

import pb "aliquot/cluster/clusterpb"

// requiredSpec reads a specification that must be there, for all code relies on it.
func (d *decoder) requiredSpec(m *pb.Spec) *Spec {
	if m == nil {
		d.fail("a job without a specification")
		return nil
	}
	return &Spec{
		Name: m.Name, Owner: m.Owner, Project: m.Project, Tasks: int(m.Tasks), Need: CPU(m.Need),
		Requirement: Requirement{Bytes(m.Requirement.GetMemory())},
		Image:       m.Image, Command: m.Command, Args: m.Args, Env: each(m.Env, decodePair), Restarts: int(m.Restarts),
		Limits:   Limits{Time(m.Limits.GetRuntime()), Bytes(m.Limits.GetLogBytes())},
		Estimate: Time(m.Estimate), Labels: each(m.Labels, decodePair), Placement: decodeConstraint(m.Placement),
	}
}

func decodePair(m *pb.Pair) Pair { return Pair{m.Key, m.Value} }

func decodeConstraint(m *pb.Constraint) Constraint {
	return Constraint{m.GetNodes(), each(m.GetMatch(), decodePair), m.GetSpread()}
}

func (d *decoder) job(m *pb.Job) *Job {
	return &Job{
		ID: JobID(m.Id), Spec: d.requiredSpec(m.Spec), Submitted: Time(m.Submitted), Held: m.Held,
		Ending: d.ending(m.Ending), Ended: Time(m.Ended), Tasks: each(m.Tasks, d.task), Why: decodeReason(m.Why),
		Clock: decodeClock(m.Clock), Started: Time(m.Started), Moves: int(m.Moves), Moved: Time(m.Moved),
	}
}

func (d *decoder) ending(m *pb.Ending) *Ending {
	if m == nil {
		return nil
	}
	return &Ending{enum(d, m.Outcome, Cancelled), m.Cause}
}

func (d *decoder) task(m *pb.Task) Task {
	return Task{
		Phase: enum(d, m.Phase, Done), Run: int(m.Run), Node: NodeID(m.Node), Cap: CPU(m.Cap), Observed: CPU(m.Observed),
		Tier: enum(d, m.Tier, Background), Frozen: m.Frozen, Image: Bytes(m.Image), Platform: m.Platform,
		Exit: decodeExit(m.Exit), Failures: int(m.Failures), Losses: int(m.Losses), Attempts: int(m.Attempts),
		RetryAt: Time(m.RetryAt), Avoid: NodeID(m.Avoid), InTier: enum(d, m.InTier, Background), Progress: d.progress(m.Progress), LossesSince: Time(m.LossesSince),
	}
}

func (d *decoder) progress(m *pb.Progress) Progress {
	p := Progress{
		Tier: enum(d, m.GetTier(), Background), At: Time(m.GetAt()), Observed: m.GetObserved(), Steal: Parts(m.GetSteal()),
	}
	if w := decodeWork(m.GetWork()); w != nil {
		p.Work = *w
	}
	return p
}

func decodeWork(m *pb.Work) *Work {
	if m == nil {
		return nil
	}
	return &Work{Time(m.Ran), Time(m.Waited)}
}

func decodeExit(m *pb.Exit) *Exit {
	if m == nil {
		return nil
	}
	return &Exit{int(m.Code), m.Signal, m.Cause}
}

func decodeClock(m *pb.Clock) Clock {
	return Clock{
		Virtual: Time(m.GetVirtual()), Remainder: m.GetRemainder(), Running: Time(m.GetRunning()), At: Time(m.GetAt()),
		Share: CPU(m.GetShare()), Steal: Parts(m.GetSteal()),
	}
}

func decodeReason(m *pb.Reason) Reason {
	return Reason{JobID(m.GetJob()), ReasonCode(m.GetCode()), m.GetValues()}
}

func (d *decoder) holding(m *pb.Holding) Holding {
	p := m.GetPlacement()
	return Holding{JobID(m.Job), Placement{CPU(p.GetCpu()), enum(d, p.GetTier(), Background), numbers[NodeID](p.GetNodes())}}
}

func (d *decoder) move(m *pb.Move) *Move {
	return &Move{
		ID: MoveID(m.Id), Kind: enum(d, m.Kind, Resize), Task: d.taskID(m.Task), Run: int(m.Run),
		From: NodeID(m.From), To: NodeID(m.To), CPU: CPU(m.Cpu), Tier: enum(d, m.Tier, Background), Image: Bytes(m.Image),
		Started: Time(m.Started), Aborted: m.Aborted,
	}
}

func (d *decoder) taskID(m *pb.TaskID) TaskID {
	return TaskID{JobID(m.GetJob()), d.count(m.GetIndex())}
}

func (d *decoder) runID(m *pb.RunID) RunID {
	return RunID{JobID(m.GetJob()), d.count(m.GetIndex()), d.count(m.GetNumber())}
}

func (d *decoder) node(m *pb.Node) *Node {
	l := m.Load
	return &Node{
		ID: NodeID(m.Id), Name: m.Name, Description: decodeDescription(m.Description), Health: enum(d, m.Health, Down),
		Cordoned: m.Cordoned, Draining: m.Draining, Since: Time(m.Since), Boot: m.Boot, FenceAlive: m.FenceAlive,
		StoreProven: m.StoreProven, Foreign: decodeForeign(m.Foreign), Strays: each(m.Strays, d.runID), Condemned: each(m.Condemned, d.runID),
		Load:     Load{CPU(l.GetNeed()), CPU(l.GetShare()), Bytes(l.GetMemory()), int(l.GetTasks())},
		Occupied: Bytes(m.Occupied),
	}
}

func decodeDescription(m *pb.Description) Description {
	return Description{
		CPU: CPU(m.GetCpu()), Memory: Bytes(m.GetMemory()), Overhead: Bytes(m.GetOverhead()), Platforms: m.GetPlatforms(),
		Hypervisor: m.GetHypervisor(), MigrateURI: m.GetMigrateUri(), Labels: each(m.GetLabels(), decodePair),
	}
}

func decodeForeign(m *pb.Foreign) Foreign { return Foreign{CPU(m.GetCpu()), Bytes(m.GetMemory())} }

func decodeImage(m *pb.Image) *Image {
	return &Image{
		Name: m.Name, Digest: m.Digest, Kind: m.Kind, Size: Bytes(m.Size), Cmdline: m.Cmdline,
		Added: Time(m.Added), Builtin: m.Builtin,
	}
}

func (d *decoder) token(m *pb.Token) *Token {
	t := &Token{
		ID: m.Id, Name: m.Name, Actor: d.actor(m.Actor), Created: Time(m.Created), Expires: Time(m.Expires), Revoked: m.Revoked,
	}
	d.digest(t.Hash[:], m.Hash)
	return t
}

func decodePolicy(m *pb.PolicyChoice) PolicyChoice {
	return PolicyChoice{m.GetName(), Time(m.GetPeriod())}
}

func (d *decoder) occasion(m *pb.Occasion) Occasion {
	o := Occasion{
		Submitted: numbers[JobID](m.GetSubmitted()), Ended: m.GetEnded(), NodesChanged: m.GetNodesChanged(), Due: each(m.GetAlarms(), d.alarm),
	}
	if m.GetDue() {
		o.Due = ticksAt(Time(m.GetNext()))
	}
	return o
}

// alarms reads what encodeAlarms wrote.
func (d *decoder) alarms(tick int64, all []*pb.Alarm) []Alarm {
	if tick != 0 {
		return ticksAt(Time(tick))
	}
	return each(all, d.alarm)
}

func (d *decoder) alarm(m *pb.Alarm) Alarm {
	return Alarm{Time(m.GetAt()), enum(d, m.GetKind(), AlarmRetry), JobID(m.GetJob())}
}
