package cluster

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// do applies one line of a story.
func (s *teller) do(w words) {
	verb := s.verbs()[w.verb]
	if verb == nil {
		s.Fatalf("unknown verb %q", w.verb)
	}
	verb(w)
}

func (s *teller) verbs() map[string]func(words) {
	job := func(make func(JobID) Action) func(words) {
		return func(w words) { s.apply(make(s.job(w.get(0))), w) }
	}
	wish := func(want NodeWish) func(words) {
		return func(w words) { s.apply(SetNode{s.id(w.get(0)), want}, w) }
	}
	health := func(h Health) func(words) {
		return func(w words) { s.apply(SetHealth{s.id(w.get(0)), h}, w) }
	}
	return map[string]func(words){
		"wait":       func(w words) { s.now += s.duration(w.get(0)) },
		"submit":     s.submit,
		"workflow":   s.workflow,
		"cancel":     s.cancel,
		"accept":     func(w words) { s.apply(AcceptOffer{s.offer(w.get(0))}, w) },
		"reschedule": func(w words) { s.apply(Reschedule{s.job(w.get(0)), s.duration(w.args["by"])}, w) },
		"decline":    func(w words) { s.apply(DeclineOffer{s.offer(w.get(0))}, w) },
		"expire":     job(func(id JobID) Action { return Cancel{id, Because(WhyOverran, 60)} }),
		"look":       func(words) { s.seen = s.s.View(s.now) },
		"hold":       job(func(id JobID) Action { return Hold{id} }),
		"release":    job(func(id JobID) Action { return Release{id} }),
		"adopt":      s.adopt,
		"move":       s.move,
		"abort":      s.abort,
		"saw":        s.saw,
		"obey":       s.obey,
		"join":       func(w words) { w.verb = w.get(0); s.node(w) },
		"report":     func(w words) { s.report(w, w.get(0)) },
		"silent":     health(Silent),
		"down": func(w words) { // a node that is ready falls silent first
			if n := s.s.Node(s.id(w.get(0))); n != nil && n.Health == Ready && n.FenceAlive {
				health(Silent)(w)
			}
			health(Down)(w)
		},
		"ready":        health(Ready),
		"unlink":       func(w words) { s.apply(SetLink{s.id(w.get(0)), s.now + s.duration(cmp.Or(w.args["in"], "0s"))}, w) },
		"link":         func(w words) { s.apply(SetLink{Node: s.id(w.get(0))}, w) },
		"undead":       health(9),
		"cordon":       wish(Cordon),
		"force-cordon": wish(ForceCordon),
		"drain":        wish(Drain),
		"force-drain":  wish(ForceDrain),
		"uncordon":     wish(Uncordon),
		"confirm-down": wish(ConfirmDown),
		"dream":        wish(0),
		"maintain": func(w words) {
			begins := s.duration(cmp.Or(w.args["start"], "0"))
			s.apply(Maintain{s.id(w.get(0)), begins, max(begins, s.now) + s.duration(w.args["lasts"]), w.args["reason"],
				w.args["force"] == "yes"}, w)
		},
		"reopen": func(w words) { s.apply(Reopen{s.id(w.get(0)), s.duration(cmp.Or(w.args["start"], "0"))}, w) },
		"invite": func(w words) {
			s.apply(Invite{w.get(0), [32]byte{byte(w.number("secret", 1))}, s.now + s.duration(cmp.Or(w.args["for"], "3600s"))},
				w)
		},
		"admit": func(w words) {
			s.apply(Admit{w.get(0), [32]byte{byte(w.number("secret", 1))}, [32]byte{byte(w.number("csr", 1))}}, w)
		},
		"remove":   func(w words) { s.apply(RemoveNode{s.id(w.get(0)), w.args["force"] == "yes"}, w) },
		"set-time": func(w words) { s.apply(SetTime{s.duration(w.get(0))}, w); s.now = s.s.Now },
		"settle": func(w words) {
			s.apply(SettleStray{s.id(w.get(0)), s.runID(w.get(1)), w.get(2) == "destroy"}, w)
		},
		"claim":      func(w words) { s.apply(Claim{1, uint64(w.number("term", 0))}, w) },
		"import":     func(w words) { s.apply(Import{uint64(w.number("generation", 0))}, w) },
		"checkpoint": func(w words) { s.apply(Checkpoint{}, w) },
		"policy":     func(w words) { s.apply(SetPolicy{w.args["name"], s.duration(cmp.Or(w.args["period"], "60s"))}, w) },
		"image": func(w words) {
			s.apply(PutImage{Image{Name: w.get(0), Digest: strings.Repeat(w.get(1), 64), Kind: "kernel"}}, w)
		},
		"forget-image": func(w words) { s.apply(RemoveImage{strings.Repeat(w.get(0), 64)}, w) },
		"token":        s.token,
		"enact":        s.enact,
	}
}

func (s *teller) duration(text string) Time {
	seconds, err := strconv.ParseFloat(strings.TrimSuffix(text, "s"), 64)
	if err != nil {
		s.Fatal(err)
	}
	return Time(seconds * float64(Second))
}

func (s *teller) job(text string) JobID {
	id, err := ParseJobID(text)
	if err != nil {
		s.Fatal(err)
	}
	return id
}

func (s *teller) runID(text string) RunID {
	run, err := ParseRunID(text)
	if err != nil {
		s.Fatal(err)
	}
	return run
}

// task reads j1/0.
func (s *teller) task(text string) TaskID { return s.runID(text + "/1").Task() }

// cancel cancels as an operator, unless as= names another actor.
func (s *teller) cancel(w words) {
	w.args["as"] = cmp.Or(w.args["as"], "op:operator")
	s.apply(Cancel{s.job(w.get(0)), Cause{Text: "not needed any more"}}, w)
}

func (s *teller) submit(w words) {
	s.apply(Submit{s.spec(w), s.duration(cmp.Or(w.args["hold"], "0"))}, w)
}

func (s *teller) offer(text string) OfferID {
	id, err := ParseOfferID(text)
	if err != nil {
		s.Fatal(err)
	}
	return id
}

func (s *teller) spec(w words) *Spec {
	owner, _, _ := strings.Cut(cmp.Or(w.args["as"], "root"), ":")
	spec := &Spec{
		Name: w.args["name"], Owner: owner, Project: "default", Image: cmp.Or(w.args["image"], testImage),
		Tasks: w.number("tasks", 1),
		Need:  CPU(w.number("need", 1000)), Requirement: Requirement{Bytes(w.number("memory", 64)) * MiB},
		Restarts: w.number("restarts", 0), Env: pairs(w.args["env"]), Labels: pairs(w.args["labels"]),
		Placement:  Constraint{Match: pairs(w.args["match"]), Spread: w.args["spread"] == "yes"},
		Command:    []string{strings.Repeat("x", w.number("command", 0))},
		Limits:     Limits{Runtime: Time(w.number("runtime", 0)) * Second, LogBytes: Bytes(w.number("log", 0))},
		Estimate:   Time(w.number("estimate", 0)),
		FailOnLoss: w.args["loss"] == "fail",
		MinYield:   Parts(w.number("floor", 0)) * Whole / 100,
	}
	spec.After = s.after(w.args["after"])
	if lasts := w.args["lasts"]; lasts != "" {
		spec.Reserve = &Reservation{s.duration(w.args["start"]), s.duration(lasts)}
	}
	if by := w.args["by"]; by != "" {
		spec.Deadline = &Deadline{Ready: s.duration(cmp.Or(w.args["ready"], "0")), By: s.duration(by),
			Lasts: s.duration(cmp.Or(w.args["takes"], "0")), Work: s.duration(cmp.Or(w.args["work"], "0")),
			Pausable: w.args["pausable"] == "yes"}
	}
	if on := w.args["on"]; on != "" {
		spec.Placement.Nodes = strings.Split(on, ",")
	}
	if w.args["image"] == "none" {
		spec.Image = ""
	}
	return spec
}

// after reads jobs like j1,j2:failed,j3:ended.
func (s *teller) after(text string) (list []Dependency) {
	for word := range strings.SplitSeq(text, ",") {
		if word == "" {
			continue
		}
		job, when, _ := strings.Cut(word, ":")
		d := Dependency{Job: s.job(job)}
		for d.When.String() != cmp.Or(when, "succeeded") {
			d.When++
		}
		list = append(list, d)
	}
	return list
}

// workflow reads steps like make, test:make, ship:make:test, each with those that it waits for, and a memory.
func (s *teller) workflow(w words) {
	a := SubmitWorkflow{}
	if of := w.args["of"]; of != "" {
		a.Joins, a.Seen = s.job(of), JobID(w.number("seen", int(s.s.NextJob)))
	}
	var names []string
	for _, text := range w.list {
		parts := strings.Split(text, ":")
		step := Step{Spec: s.spec(w)}
		step.Spec.Name = parts[0]
		for _, on := range parts[1:] {
			step.After = append(step.After, StepDependency{Step: slices.Index(names, on)})
		}
		names, a.Steps = append(names, parts[0]), append(a.Steps, step)
	}
	s.apply(a, w)
}

// adopt reads placements like j1=a,b:500 or j1=a:500:background, dropped jobs like j2=, refused ones like j3=never, and
// kill=j1. It is
// based on what there is, or was at the last look.
func (s *teller) adopt(w words) { s.apply(s.decision(w), w); s.seen = nil }

func (s *teller) decision(w words) Adopt {
	v := s.seen
	if v == nil {
		v = s.s.View(s.now)
	}
	a := Adopt{Basis: v.Revision(), Seen: v.Pending(), Tick: v.NextTick(),
		Alarms: Agenda(ticksAt(Time(w.number("wake", 0)) * Second)).ticks()}
	if w.args["kill"] != "" {
		a.Kill = append(a.Kill, s.job(w.args["kill"]))
	}
	for _, key := range slices.Sorted(keys(w.args)) {
		id, err := ParseJobID(key)
		if err != nil {
			continue
		}
		names, share, placed := strings.Cut(w.args[key], ":")
		switch {
		case w.args[key] == "never":
			a.Refuse = append(a.Refuse, Refusal{id, Reason{Job: id, Code: WhyNoNode, Values: []int64{1, 1, 1, 0, 0, 0}}})
		case !placed:
			a.Drop = append(a.Drop, id)
			a.Why = append(a.Why, Reason{Job: id, Code: WhyDropped, Values: []int64{2, 1}})
		default:
			tier, share := Foreground, share
			if rest, below := strings.CutSuffix(share, ":background"); below {
				tier, share = Background, rest
			}
			cpu, err := ParseCPU(share + "m")
			if err != nil {
				s.Fatal(err)
			}
			h := Holding{Job: id, Placement: Placement{Grant: tier.Grant(cpu)}}
			for place := range strings.SplitSeq(names, ",") {
				name, core, bound := strings.Cut(place, "/")
				h.Placement.Nodes = append(h.Placement.Nodes, s.id(name))
				if bound {
					h.Placement.Cores = append(h.Placement.Cores, CoreID(must(strconv.Atoi(core))))
				}
			}
			a.Set = append(a.Set, h)
			a.Why = append(a.Why, Reason{Job: id, Code: WhyPlaced, Values: []int64{int64(cpu)}})
		}
	}
	return a
}

func keys(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// move reads: start j1/0 a 500:background, stop j1/0, pause j1/0, resume j1/0 a 500, migrate j1/0 b 500, resize j1/0 5.
func (s *teller) move(w words) {
	kinds := []string{"", "start", "stop", "pause", "resume", "migrate", "resize"}
	m := Move{Kind: MoveKind(slices.Index(kinds, w.get(0))), Task: s.task(w.get(1))}
	if j := s.s.Job(m.Task.Job); j != nil && m.Task.Index < len(j.Tasks) {
		m.From = j.Tasks[m.Task.Index].Node
	}
	share := w.get(2)
	if m.Kind.Fills() {
		m.To, share = s.id(w.get(2)), w.get(3)
	}
	share, below := strings.CutSuffix(share, ":background")
	if below {
		m.Tier = Background
	}
	if share != "" {
		cpu, err := ParseCPU(share + "m")
		if err != nil {
			s.Fatal(err)
		}
		m.CPU = cpu
	}
	s.apply(StartMoves{[]Move{m}}, w)
}

func (s *teller) abort(w words) {
	id := MoveID(w.number("move", 0))
	if m := s.s.Move(s.task(w.get(0))); m != nil && id == 0 {
		id = m.ID
	}
	s.apply(AbortMove{s.task(w.get(0)), id, Because(WhyNoProgress, 120)}, w)
}

// saw reads: a j1/0/1 running cap=500, … exited code=1, … failed cause=disk_full.
func (s *teller) saw(w words) {
	sights := []string{"", "booting", "running", "frozen", "saved", "exited", "lost", "absent", "arrived",
		"failed", "stray"}
	o := Observation{Run: s.runID(w.get(1)), Seen: Sight(slices.Index(sights, w.get(2))), Cap: CPU(w.number("cap", 0)),
		Cause: w.args["cause"], Platform: w.args["platform"]}
	if m := s.s.Move(o.Run.Task()); m != nil {
		o.Move = MoveID(w.number("move", int(m.ID)))
	}
	if o.Seen == SeenExited && w.args["code"] != "none" {
		o.Exit = &Exit{Code: w.number("code", 0), Signal: w.args["signal"]}
	}
	s.report(w, w.get(0), o)
}

// obey lets the nodes, or the one named, do as they are ordered, and report it.
func (s *teller) obey(w words) {
	for _, n := range slices.Collect(s.s.Nodes()) {
		if w.get(0) != "" && w.get(0) != n.Name {
			continue
		}
		var seen []Observation
		for _, o := range s.s.Orders(n.ID).Runs {
			sight := map[Want]Sight{Stay: SeenRunning, Begin: SeenRunning, Restore: SeenRunning, Save: SeenSaved,
				Arrive: SeenArrived, Vanish: SeenAbsent}[o.Want]
			if sight != 0 {
				seen = append(seen, Observation{Run: o.Run, Move: o.Move, Seen: sight, Cap: o.CPU, Tier: o.Tier, Tiered: true,
					Image: 32 * MiB})
			}
		}
		for _, run := range s.s.Orders(n.ID).Destroy {
			seen = append(seen, Observation{Run: run, Seen: SeenAbsent})
		}
		s.report(w, n.Name, seen...)
	}
}

func (s *teller) token(w words) {
	s.apply(PutToken{Token{ID: w.get(0), Name: cmp.Or(w.args["name"], "t"),
		Actor: Actor{Role: Role(w.number("role", int(User)))}, Revoked: w.args["revoke"] == "yes"}}, w)
}

// enact reads the basis as revisions ago, a wish, and a decision as adopt does.
func (s *teller) enact(w words) {
	e := Enact{Basis: s.s.Revision - uint64(w.number("ago", 0)), Decision: s.decision(w)}
	switch w.get(0) {
	case "drain":
		e.Wish = SetNode{s.id(w.get(1)), Drain}
	case "submit":
		e.Wish = Submit{Spec: s.spec(w)}
	case "policy":
		e.Wish = SetPolicy{w.args["name"], Minute}
	case "hold":
		e.Wish = Hold{s.job(w.get(1))}
	}
	s.apply(e, w)
}
