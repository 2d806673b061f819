package web_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

func TestLearntSpeedsAreShownToTheirProjectAndToOperators(t *testing.T) {
	s := newSite(t)
	took := map[string]cluster.Time{"fast": cluster.Minute, "slow": 2 * cluster.Minute}
	for _, class := range []string{"fast", "slow", "idle"} {
		s.Must(t, cluster.Join{Name: "n-" + class, Boot: "boot", Description: cluster.Description{CPU: 2000,
			Memory: 1024 * cluster.MiB, Class: class}})
	}
	for range 3 {
		for _, class := range []string{"fast", "slow"} {
			j := s.submit(typed)
			s.Run(t, j, 500, s.Latest().NodeNamed("n-"+class).ID)
			s.Advance(took[class])
			s.Exit(t, cluster.RunID{Job: j, Number: 1}, 0)
		}
	}
	row := func(class string, factor, seconds float64) api.LearntSpeed {
		return api.LearntSpeed{Project: "render", Owner: "alice", Type: "render", Tasks: 1, NeedMillicores: 500, Class: class,
			Factor: factor, Similar: api.Similar{Succeeded: 3, Latest: 3, MedianSeconds: seconds, MostSeconds: seconds}}
	}
	all := api.SpeedList{
		Classes: []api.NodeClass{{Class: "fast", Nodes: 1}, {Class: "idle", Nodes: 1}, {Class: "slow", Nodes: 1}},
		Speeds:  []api.LearntSpeed{row("fast", 1, 60), row("slow", 0.5, 120)},
	}
	none := api.SpeedList{Classes: all.Classes, Speeds: []api.LearntSpeed{}}
	for token, want := range map[string]api.SpeedList{webtest.Alice: all, webtest.Operator: all, webtest.Bob: none} {
		var got api.SpeedList
		s.want(200, "GET", "/v1/speeds", token, "").into(t, &got)
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(api.LearntSpeed{}, "Last")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", token, diff)
		}
	}
	s.want(401, "GET", "/v1/speeds", "", "")
	var n api.Node
	if s.want(200, "GET", "/v1/nodes/n-slow", webtest.Alice, "").into(t, &n); n.Class != "slow" {
		t.Errorf("the node's class is %q", n.Class)
	}
}
