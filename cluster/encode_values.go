package cluster

import (
	"slices"

	pb "aliquot/cluster/clusterpb"
)

func encodeSpec(s *Spec) *pb.Spec {
	if s == nil {
		return nil
	}
	return &pb.Spec{
		Name: s.Name, Owner: s.Owner, Project: s.Project, Tasks: int64(s.Tasks), Need: int64(s.Need),
		Requirement: &pb.Requirement{Memory: int64(s.Requirement.Memory)},
		Image:       s.Image, Command: s.Command, Args: s.Args, Env: each(s.Env, encodePair), Restarts: int64(s.Restarts),
		Limits:   &pb.Limits{Runtime: int64(s.Limits.Runtime), LogBytes: int64(s.Limits.LogBytes)},
		Estimate: int64(s.Estimate), Labels: each(s.Labels, encodePair), Placement: encodeConstraint(s.Placement),
	}
}

func encodePair(p Pair) *pb.Pair { return &pb.Pair{Key: p.Key, Value: p.Value} }

func encodeConstraint(c Constraint) *pb.Constraint {
	return &pb.Constraint{Nodes: c.Nodes, Match: each(c.Match, encodePair), Spread: c.Spread}
}

func encodeJob(j *Job) *pb.Job {
	return &pb.Job{
		Id: uint64(j.ID), Spec: encodeSpec(j.Spec), Submitted: int64(j.Submitted), Held: j.Held,
		Ending: encodeEnding(j.Ending), Ended: int64(j.Ended), Tasks: each(j.Tasks, encodeTask), Why: encodeReason(j.Why),
		Clock: encodeClock(j.Clock), Started: int64(j.Started), Moves: int64(j.Moves), Moved: int64(j.Moved),
	}
}

func encodeEnding(e *Ending) *pb.Ending {
	if e == nil {
		return nil
	}
	return &pb.Ending{Outcome: uint32(e.Outcome), Cause: e.Cause}
}

func encodeTask(t Task) *pb.Task {
	return &pb.Task{
		Phase: uint32(t.Phase), Run: int64(t.Run), Node: uint32(t.Node), Cap: int64(t.Cap), Observed: int64(t.Observed),
		Tier: uint32(t.Tier), Frozen: t.Frozen, Image: int64(t.Image), Platform: t.Platform, Exit: encodeExit(t.Exit),
		Failures: int64(t.Failures), Losses: int64(t.Losses), Attempts: int64(t.Attempts), RetryAt: int64(t.RetryAt),
		Avoid: uint32(t.Avoid), InTier: uint32(t.InTier), Progress: encodeProgress(t.Progress), LossesSince: int64(t.LossesSince),
	}
}

func encodeProgress(p Progress) *pb.Progress {
	if p == (Progress{}) {
		return nil
	}
	return &pb.Progress{Work: encodeWork(&p.Work), Tier: uint32(p.Tier), At: int64(p.At), Observed: p.Observed, Steal: int64(p.Steal)}
}

func encodeWork(w *Work) *pb.Work {
	if w == nil {
		return nil
	}
	return &pb.Work{Ran: int64(w.Ran), Waited: int64(w.Waited)}
}

func encodeExit(e *Exit) *pb.Exit {
	if e == nil {
		return nil
	}
	return &pb.Exit{Code: int64(e.Code), Signal: e.Signal, Cause: e.Cause}
}

func encodeClock(c Clock) *pb.Clock {
	return &pb.Clock{
		Virtual: int64(c.Virtual), Remainder: c.Remainder, Running: int64(c.Running), At: int64(c.At), Share: int64(c.Share),
		Steal: int64(c.Steal),
	}
}

func encodeReason(r Reason) *pb.Reason {
	return &pb.Reason{Job: uint64(r.Job), Code: string(r.Code), Values: r.Values}
}

func encodeHolding(h Holding) *pb.Holding {
	return &pb.Holding{Job: uint64(h.Job), Placement: &pb.Placement{
		Cpu: int64(h.Placement.CPU), Tier: uint32(h.Placement.Tier), Nodes: numbers[uint32](h.Placement.Nodes),
	}}
}

func encodeMove(m *Move) *pb.Move {
	return &pb.Move{
		Id: uint64(m.ID), Kind: uint32(m.Kind), Task: encodeTaskID(m.Task), Run: int64(m.Run),
		From: uint32(m.From), To: uint32(m.To), Cpu: int64(m.CPU), Tier: uint32(m.Tier), Image: int64(m.Image),
		Started: int64(m.Started), Aborted: m.Aborted,
	}
}

func encodeTaskID(t TaskID) *pb.TaskID { return &pb.TaskID{Job: uint64(t.Job), Index: int64(t.Index)} }

func encodeRunID(r RunID) *pb.RunID {
	return &pb.RunID{Job: uint64(r.Job), Index: int64(r.Index), Number: int64(r.Number)}
}

func encodeNode(n *Node) *pb.Node {
	return &pb.Node{
		Id: uint32(n.ID), Name: n.Name, Description: encodeDescription(n.Description), Health: uint32(n.Health),
		Cordoned: n.Cordoned, Draining: n.Draining, Since: int64(n.Since), Boot: n.Boot, FenceAlive: n.FenceAlive,
		StoreProven: n.StoreProven, Foreign: encodeForeign(n.Foreign), Strays: each(n.Strays, encodeRunID), Condemned: each(n.Condemned, encodeRunID),
		Load: &pb.Load{
			Need: int64(n.Load.Need), Share: int64(n.Load.Share), Memory: int64(n.Load.Memory), Tasks: int64(n.Load.Tasks),
		},
		Occupied: int64(n.Occupied),
	}
}

func encodeDescription(d Description) *pb.Description {
	return &pb.Description{
		Cpu: int64(d.CPU), Memory: int64(d.Memory), Overhead: int64(d.Overhead), Platforms: d.Platforms,
		Hypervisor: d.Hypervisor, MigrateUri: d.MigrateURI, Labels: each(d.Labels, encodePair),
	}
}

func encodeForeign(f Foreign) *pb.Foreign {
	return &pb.Foreign{Cpu: int64(f.CPU), Memory: int64(f.Memory)}
}

func encodeImage(i *Image) *pb.Image {
	return &pb.Image{
		Name: i.Name, Digest: i.Digest, Kind: i.Kind, Size: int64(i.Size), Cmdline: i.Cmdline,
		Added: int64(i.Added), Builtin: i.Builtin,
	}
}

func encodeToken(t *Token) *pb.Token {
	return &pb.Token{
		Id: t.ID, Name: t.Name, Actor: encodeActor(t.Actor), Hash: t.Hash[:], Created: int64(t.Created),
		Expires: int64(t.Expires), Revoked: t.Revoked,
	}
}

func encodePolicy(p PolicyChoice) *pb.PolicyChoice {
	return &pb.PolicyChoice{Name: p.Name, Period: int64(p.Period)}
}

// encodeOccasion writes the occasion as programs wrote it that knew the tick only, where the tick alone is due.
func encodeOccasion(o Occasion, tick Time) *pb.Occasion {
	m := &pb.Occasion{Submitted: numbers[uint64](o.Submitted), Ended: o.Ended, NodesChanged: o.NodesChanged, Next: int64(tick)}
	if m.Due = slices.Equal(o.Due, ticksAt(tick)) && tick != 0; !m.Due {
		m.Alarms = each(o.Due, encodeAlarm)
	}
	return m
}

// encodeAlarms returns the time of the tick if it is the only alarm, else all.
func encodeAlarms(alarms []Alarm) (tick int64, all []*pb.Alarm) {
	if len(alarms) == 1 && alarms[0].At != 0 && alarms[0] == (Alarm{At: alarms[0].At, Kind: AlarmTick}) {
		return int64(alarms[0].At), nil
	}
	return 0, each(alarms, encodeAlarm)
}

func encodeAlarm(a Alarm) *pb.Alarm {
	return &pb.Alarm{At: int64(a.At), Kind: uint32(a.Kind), Job: uint64(a.Job)}
}
