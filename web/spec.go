package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/wording"
)

// specOf converts a job specification for the actor. Its error names the wrong field.
func specOf(in *api.JobSpec, actor cluster.Actor, images imageFinder) (*cluster.Spec, error) {
	s := &cluster.Spec{
		Name: in.Name, Owner: actor.Owner, Project: actor.Project,
		Tasks: cmp.Or(in.Tasks, 1), Command: in.Command, Args: in.Args, Env: pairs(in.Env), Labels: pairs(in.Labels),
		CloudInit: in.CloudInit, Files: pairs(in.Files), Outputs: in.Outputs, Type: in.Type,
	}
	s.MinYield = cluster.Parts(math.Ceil(in.MinYield * float64(cluster.Whole)))
	if in.Budget != nil {
		var err error
		if s.Budget, err = cluster.ParseBudget(*in.Budget); err != nil {
			return nil, newProblem(string(cluster.CodeInvalid), "budget", "%v", err)
		}
	}
	if in.Restart != nil {
		s.Restarts = in.Restart.OnFailure
		s.FailOnLoss = in.Restart.OnLoss != nil && !*in.Restart.OnLoss
	}
	if in.Placement != nil {
		s.Placement = cluster.Constraint{Nodes: in.Placement.Nodes, Match: pairs(in.Placement.Labels),
			Spread: in.Placement.Spread}
	}
	var err error
	if s.Class, err = cluster.ParseClass(in.Class); err != nil {
		return nil, newProblem(string(cluster.CodeInvalid), "class", "%v", err)
	}
	if s.Network, err = cluster.ParseNetwork(in.Network); err != nil {
		return nil, newProblem(string(cluster.CodeInvalid), "network", "%v", err)
	}
	if err = quantities(s, in); err != nil {
		return nil, err
	}
	if err = cloudConfig(in.CloudInit); err != nil {
		return nil, newProblem(string(cluster.CodeInvalid), "cloudInit", "%v", err)
	}
	if s.Reserve, err = reservation(in.Reserve); err != nil {
		return nil, err
	}
	if s.After, err = dependencies(in.After); err != nil {
		return nil, err
	}
	if s.Deadline, err = deadline(in.Deadline); err != nil {
		return nil, err
	}
	if s.Image, err = images(in.Image); err != nil {
		return nil, err
	}
	if r := cmp.Or(s.Validate(), s.Oversized()); r != nil {
		return nil, r
	}
	if field := withNUL(s); field != "" {
		return nil, newProblem(string(cluster.CodeInvalid), field,
			"contains a NUL character, which no program can be given")
	}
	if len(s.Command) == 0 || s.Command[0] == "" {
		return nil, newProblem(string(cluster.CodeInvalid), "command",
			"is missing: name the program that each task runs, like /bin/echo")
	}
	return s, nil
}

// withNUL returns the field of the specification that contains a NUL character, or "".
func withNUL(s *cluster.Spec) string {
	has := func(text string) bool { return strings.ContainsRune(text, 0) }
	pair := func(p cluster.Pair) bool { return has(p.Key) || has(p.Value) }
	switch {
	case slices.ContainsFunc(s.Command, has):
		return "command"
	case slices.ContainsFunc(s.Args, has):
		return "args"
	case slices.ContainsFunc(s.Env, pair):
		return "env"
	case slices.ContainsFunc(s.Labels, pair):
		return "labels"
	case slices.ContainsFunc(s.Files, pair):
		return "files"
	case has(s.CloudInit):
		return "cloudInit"
	case slices.ContainsFunc(s.Placement.Nodes, has) || slices.ContainsFunc(s.Placement.Match, pair):
		return "placement"
	}
	return ""
}

// quantities parses the fields with units.
func quantities(s *cluster.Spec, in *api.JobSpec) (err error) {
	if s.Need, err = cluster.ParseCPU(in.CPU); err != nil {
		return newProblem(string(cluster.CodeInvalid), "cpu",
			"is not an amount of CPU: write millicores like 500m or cores like 1.5")
	}
	if s.Requirement.Memory, err = memory(in.Memory); err != nil {
		return err
	}
	if in.Disk != "" {
		if s.Disk, err = cluster.ParseBytes(in.Disk); err != nil {
			return badBytes("disk", in.Disk)
		}
	}
	if s.Estimate, err = duration("estimate", in.Estimate); err != nil {
		return err
	}
	if in.Limits == nil {
		return nil
	}
	if s.Limits.Runtime, err = duration("limits.runtime", in.Limits.Runtime); err != nil {
		return err
	}
	if in.Limits.LogBytes != "" {
		if s.Limits.LogBytes, err = cluster.ParseBytes(in.Limits.LogBytes); err != nil {
			return badBytes("limits.logBytes", in.Limits.LogBytes)
		}
	}
	if in.Limits.ResultBytes != "" {
		if s.Limits.ResultBytes, err = cluster.ParseBytes(in.Limits.ResultBytes); err != nil {
			return badBytes("limits.resultBytes", in.Limits.ResultBytes)
		}
	}
	return nil
}

// memory parses the field memory. So few bytes that Mi must have been meant are refused.
func memory(text string) (cluster.Bytes, error) {
	n, err := cluster.ParseBytes(text)
	if err != nil {
		return 0, badBytes("memory", text)
	}
	if 0 < n && n < cluster.MiB && !strings.HasSuffix(text, "i") {
		return 0, newProblem(string(cluster.CodeInvalid), "memory", "is %d bytes; you may mean %s", n,
			cmp.Or(cluster.LikelyBytes(text), "96Mi"))
	}
	return n, nil
}

func badBytes(field, text string) error {
	detail := "is not an amount of memory: write bytes, or whole Ki, Mi, Gi or Ti like 96Mi"
	if likely := cluster.LikelyBytes(text); likely != "" {
		detail += "; you may mean " + likely
	}
	return newProblem(string(cluster.CodeInvalid), field, "%s", detail)
}

// duration parses a duration like 90s or 1h30m; "" is zero.
func duration(field, s string) (cluster.Time, error) {
	if s == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < time.Microsecond {
		return 0, newProblem(string(cluster.CodeInvalid), field,
			"is not a positive duration: write one like 90s, 10m or 1h30m")
	}
	return cluster.Time(d.Microseconds()), nil
}

// pairs returns the entries of a map by key; nil for none.
func pairs(m map[string]string) []cluster.Pair {
	var out []cluster.Pair
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, cluster.Pair{Key: k, Value: m[k]})
	}
	return out
}

func mapOf(list []cluster.Pair) map[string]string {
	if len(list) == 0 {
		return nil
	}
	m := make(map[string]string, len(list))
	for _, p := range list {
		m[p.Key] = p.Value
	}
	return m
}

// specJSON returns a specification as for submission. Without secrets, what the job's user wrote for the job alone is
// hidden: command, arguments, and the values of environment and labels.
func specJSON(s *cluster.Spec, secrets bool) api.JobSpec {
	out := api.JobSpec{
		Name: s.Name, Tasks: s.Tasks, CPU: s.Need.String(), Memory: s.Requirement.Memory.String(),
		Image: s.Image, Command: s.Command, Args: s.Args, Env: mapOf(s.Env), Labels: mapOf(s.Labels),
		Estimate: span(s.Estimate), Reserve: reserveJSON(s.Reserve), Deadline: deadlineJSON(s.Deadline),
		CloudInit: s.CloudInit, Files: mapOf(s.Files), After: afterJSON(s),
		MinYield: float64(s.MinYield) / float64(cluster.Whole), Type: s.Type,
		Outputs: s.Outputs,
	}
	if s.Budget > 0 {
		budget := s.Budget.CoreHours()
		out.Budget = &budget
	}
	if s.Disk > 0 {
		out.Disk = s.Disk.String()
	}
	if !secrets {
		out.Command, out.Args = []string{api.Hidden}, nil
		if out.CloudInit != "" {
			out.CloudInit = api.Hidden
		}
		for _, texts := range []map[string]string{out.Env, out.Labels, out.Files} {
			for k := range texts {
				texts[k] = api.Hidden
			}
		}
	}
	if s.Class != cluster.StandardClass {
		out.Class = s.Class.String()
	}
	if s.Network != cluster.NoNetwork {
		out.Network = s.Network.String()
	}
	if s.Restarts > 0 || s.FailOnLoss {
		out.Restart = &api.Restart{OnFailure: s.Restarts}
	}
	if s.FailOnLoss {
		out.Restart.OnLoss = new(bool)
	}
	if s.Limits != (cluster.Limits{}) {
		out.Limits = &api.Limits{Runtime: span(s.Limits.Runtime)}
		if s.Limits.LogBytes > 0 {
			out.Limits.LogBytes = s.Limits.LogBytes.String()
		}
		if s.Limits.ResultBytes > 0 {
			out.Limits.ResultBytes = s.Limits.ResultBytes.String()
		}
	}
	if p := s.Placement; p.Nodes != nil || p.Match != nil || p.Spread {
		out.Placement = &api.Placement{Nodes: p.Nodes, Labels: mapOf(p.Match), Spread: p.Spread}
	}
	return out
}

// span formats a duration in the form that duration parses; "" for zero.
func span(t cluster.Time) string {
	if t == 0 {
		return ""
	}
	d := (time.Duration(t) * time.Microsecond).String()
	if strings.HasSuffix(d, "m0s") {
		d = strings.TrimSuffix(d, "0s")
	}
	if strings.HasSuffix(d, "h0m") {
		d = strings.TrimSuffix(d, "0m")
	}
	return d
}

// clock converts a time of the cluster for RFC 3339.
func clock(t cluster.Time) time.Time { return time.UnixMicro(int64(t)).UTC() }

// clockOrNil is clock, or nil for a time that is not set.
func clockOrNil(t cluster.Time) *time.Time {
	if t == 0 {
		return nil
	}
	c := clock(t)
	return &c
}

func whyJSON(v *cluster.Snapshot, r cluster.Reason) api.Why {
	return api.Why{Text: wording.Reason(r, wording.Of(v.State)), Code: string(r.Code),
		Values: append([]int64{}, r.Values...)}
}

// ratio returns a/b rounded to thousandths.
func ratio(a, b cluster.CPU) float64 {
	if b == 0 {
		return 0
	}
	return float64((a*1000+b/2)/b) / 1000
}

func jobNumber(field, s string) (cluster.JobID, error) {
	id, err := cluster.ParseJobID(s)
	if err != nil {
		return 0, newProblem(string(cluster.CodeInvalid), field,
			"job ids look like j17; to find a job by its name, list the jobs of that name")
	}
	return id, nil
}

func nodeNamed(v *cluster.Snapshot, name string) (*cluster.Node, error) {
	if n := v.NodeNamed(name); n != nil && !n.Absent {
		return n, nil
	}
	return nil, newProblem(string(cluster.CodeNotFound), "node", "there is no node with that name; %s", knownNodes(v))
}

func knownNodes(v *cluster.Snapshot) string {
	var names []string
	for n := range v.Nodes() {
		if len(names) == 8 {
			names = append(names, "…")
			break
		}
		names = append(names, n.Name)
	}
	if names == nil {
		return "none has joined yet"
	}
	return fmt.Sprintf("there are %s", strings.Join(names, ", "))
}

// specText returns the specification as a text that is equal for equal specifications.
func specText(s *cluster.Spec) string {
	text, _ := json.Marshal(specJSON(s, true)) // strings and numbers always encode
	return string(text)
}
