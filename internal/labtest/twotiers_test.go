package labtest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// thePlays performs the play under each policy of two tiers, in a lab of its own.
var thePlays = sync.OnceValues(performAll)

func performAll() (plays map[string]*play, err error) {
	l, err := design("d", processors)
	if err != nil {
		return nil, err
	}
	g, err := guard(l.bin, l.script("lab"), l.run)
	if err != nil {
		return nil, err
	}
	defer func() {
		if left := g.dismiss(); err == nil && left != nil {
			err = fmt.Errorf("remove the lab of the plays: %w", left)
		}
	}()
	if err := l.rise(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), playPatience)
	defer cancel()
	plays = map[string]*play{}
	for _, policy := range []string{"KEASY", "REASY", "MEASY"} {
		plays[policy] = &play{lab: l, ctx: ctx}
		if err := plays[policy].perform(policy); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", policy, err, l.tails(20))
		}
	}
	plays["attained"] = &play{lab: l, ctx: ctx}
	if err := plays["attained"].displace(); err != nil {
		return nil, fmt.Errorf("attained: %w\n%s", err, l.tails(20))
	}
	return plays, nil
}

// played returns what happened in the play under the policy. It must be what the simulator predicts.
func played(t *testing.T, policy string) (deeds string) {
	t.Helper()
	t.Parallel()
	plays, err := thePlays()
	if err != nil {
		t.Fatal(err)
	}
	p := plays[policy]
	want, err := predict(policy, p.jobs, p.ends, p.steps)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, p.steps); diff != "" {
		t.Errorf("predicted (-) and happened (+):\n%s", diff)
	}
	for _, s := range p.steps {
		deeds += strings.Join(s.Deeds, "\n") + "\n"
	}
	if n := strings.Count(deeds, "starts anew"); n != p.told["job_killed"] || p.told["task_lost"] > 0 {
		t.Errorf("%d jobs start anew, but the history is %v", n, p.told)
	}
	if n := strings.Count(deeds, "moves from"); n != p.moved {
		t.Errorf("%d jobs move, but the history is %v", n, p.told)
	}
	return deeds
}

func TestJobsOfKEASYStartAnewAndGoToTheForegroundAsSimulated(t *testing.T) {
	wantDeeds(t, played(t, "KEASY"), "starts anew", "goes to the foreground")
}

func TestJobsOfMEASYMoveAndGoToTheForegroundAsSimulated(t *testing.T) {
	wantDeeds(t, played(t, "MEASY"), "moves from", "goes to the foreground")
}

func TestJobsOfREASYGoToTheForegroundWhereTheyAreAsSimulated(t *testing.T) {
	wantDeeds(t, played(t, "REASY"), "goes to the foreground")
}

// Which of the three has run longest is a matter of a second.
func TestAJobOfAttainedSinksForANewOneAndRisesWhenThatEnds(t *testing.T) {
	t.Parallel()
	plays, err := thePlays()
	if err != nil {
		t.Fatal(err)
	}
	var deeds []string
	for _, s := range plays["attained"].steps {
		for _, d := range s.Deeds {
			deeds = append(deeds, strings.Join(strings.Fields(d)[1:3], " ")+" "+strings.Fields(d)[0])
		}
	}
	var sunk string
	if len(deeds) == 6 {
		_, sunk, _ = strings.Cut(deeds[3], "goes to ")
	}
	want := []string{"starts on j1", "starts on j2", "starts on j3", "goes to " + sunk, "starts on j4", "goes to " + sunk}
	if diff := cmp.Diff(want, deeds); diff != "" || sunk == "" {
		t.Errorf("%s\n%v", diff, plays["attained"].steps)
	}
}

// wantDeeds fails unless each of the deeds happened, several times at best, so that the comparison means something.
func wantDeeds(t *testing.T, deeds string, each ...string) {
	t.Helper()
	for _, word := range append(each, "in the background") {
		if n := strings.Count(deeds, word); n < 2 {
			t.Errorf("%q happened %d times:\n%s", word, n, deeds)
		} else {
			t.Logf("%q happened %d times", word, n)
		}
	}
}
