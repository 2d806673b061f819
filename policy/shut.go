package policy

import "aliquot/cluster"

// shut returns the number of nodes that are large enough for a task of the job, and would take one if they took new VMs
// now: they are cordoned, draining or not reachable. A node that is down is not reachable either.
func shut(v *cluster.View, j *cluster.Job) (count int64) {
	charge, least, platform := v.Charge(j.Spec), j.Spec.MinShare(), PlatformOf(j)
	for n := range v.Nodes() {
		closed := n.Cordoned || !n.Reachable()
		if closed && v.Allows(n, j.Spec, platform) && n.Capacity().Memory >= charge && n.Capacity().CPU >= least {
			count++
		}
	}
	return count
}

// Begun reports whether the job has had VMs, whose work would be lost if it were refused. Some of its tasks may not
// have started yet.
func Begun(j *cluster.Job) bool { return j.Started != 0 || PlatformOf(j) != "" }

// PlatformOf returns the platform of the job's runs; "" means that it has none.
func PlatformOf(j *cluster.Job) string {
	for i := range j.Tasks {
		if t := &j.Tasks[i]; t.Phase != cluster.Done && t.Platform != "" {
			return t.Platform
		}
	}
	return ""
}
