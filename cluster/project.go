package cluster

// DefaultProject is the project of tokens that are made without one. Its users need not have anything in common: limits
// that projects have without a quota do not count for it.
const DefaultProject = "default"

// divides reports whether the promises to all jobs of a project are limited together: to half of the nodes, where no
// quota limits the project's CPU or memory.
func (s *State) divides(project string) bool {
	most := s.QuotaOf(project, "").Most
	return s.Format >= limits && project != "" && project != DefaultProject && (most.CPU == 0 || most.Memory == 0)
}

// shared returns what is booked for a project.
func (b bookings) shared(project string) []booking {
	return b.totalOf(b.in, b.projects, project, func(s *Spec) bool { return s.Project == project })
}

// share counts bookings for a project.
func (b bookings) share(project string, list ...booking) {
	if b.divides(project) {
		b.in[project] = append(b.shared(project), list...)
	}
}

// fairToProject returns the number of tasks of the spec that its project may be promised over an interval besides its
// other promises, as fairToOwner does.
func (b bookings) fairToProject(spec *Spec, from, until Time) int {
	if !b.divides(spec.Project) {
		return spec.Tasks
	}
	list := b.shared(spec.Project)
	*b.looks += len(list)
	return b.fairShare(spec, b.QuotaOf(spec.Project, "").Most, peak(list, from, until))
}

// fairShare returns the number of tasks of the spec for which there is room in half of the nodes besides what is taken,
// where a quota does not limit the CPU or the memory.
func (b bookings) fairShare(spec *Spec, most Use, has Offer) int {
	tasks, half := spec.Tasks, b.half()
	if most.CPU == 0 {
		tasks = min(tasks, int(max(0, half.CPU-has.CPU)/spec.Need))
	}
	if most.Memory == 0 {
		tasks = min(tasks, int(max(0, half.Memory-has.Memory)/b.Charge(spec)))
	}
	return tasks
}
