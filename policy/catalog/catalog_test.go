package catalog

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/policy/policytest"
)

const period = 600 * cluster.Second

func TestEveryNameIsAPolicyThatKnowsItsName(t *testing.T) {
	for _, name := range Names() {
		p, err := Parse(name, period)
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if about := About(name); about == "" || len(about) > 80 {
			t.Errorf("%q is about %q", name, about)
		}
		if f := Family(name); f != "backfill" && f != "dfrs" && f != "tiered" && f != "reserve" {
			t.Errorf("%q is of the family %q", name, f)
		}
		canonical := fmt.Sprint(p)
		again, err := Parse(canonical, period)
		if err != nil || fmt.Sprint(again) != canonical || !strings.HasPrefix(canonical, name) {
			t.Errorf("%q is called %q, which is called %q (%v)", name, canonical, again, err)
		}
	}
}

func TestJobsWithoutAnEstimateAreRefusedWhereOneIsNeededAndNowhereElse(t *testing.T) {
	for _, name := range Names() {
		if !Live(name) {
			continue
		}
		for _, class := range []cluster.Class{cluster.StandardClass, cluster.BackgroundClass, cluster.EitherClass} {
			p, err := Parse(name, period)
			if err != nil {
				t.Fatal(err)
			}
			w := policytest.NewWorld(t, p)
			w.Join("n1", cluster.Description{CPU: 2000, Memory: 1024 * cluster.MiB})
			s := cluster.Spec{Tasks: 1, Need: 100, Requirement: cluster.Requirement{Memory: 64 * cluster.MiB}, Class: class}
			foreseen := Refusal(name, w.Look(), &cluster.Job{Spec: &s, Tasks: make([]cluster.Task, s.Tasks)}) != nil
			w.Submit(s)
			if refused := len(p.Decide(w.Look()).Refuse) > 0; refused != foreseen {
				t.Errorf("%s: class %v is refused: %v", name, class, refused)
			}
		}
	}
}

func TestJobsOfMoreTasksThanTheNodesCouldTakeAreFoundBeforeThePolicyRefusesThem(t *testing.T) {
	for _, cores := range []int{0, 2} {
		t.Run(fmt.Sprintf("nodes of %d cores", cores), func(t *testing.T) { findTooWide(t, cores) })
	}
}

// findTooWide compares the forecast with the decision of every policy, on two nodes whose VMs can be bound to cores.
func findTooWide(t *testing.T, cores int) {
	specs := map[string]cluster.Spec{
		"three on two nodes":         {Tasks: 3, Need: 100},
		"two on two nodes":           {Tasks: 2, Need: 100},
		"three of half a node":       {Tasks: 3, Need: 1000},
		"five of a core":             {Tasks: 5, Need: 1000},
		"two on one node by name":    {Tasks: 2, Need: 100, Placement: cluster.Constraint{Nodes: []string{"n1"}}},
		"three in the background":    {Tasks: 3, Need: 100, Class: cluster.BackgroundClass},
		"three that may be anywhere": {Tasks: 3, Need: 100, Class: cluster.EitherClass},
	}
	refusals := 0
	for _, name := range slices.DeleteFunc(Names(), func(name string) bool { return !Live(name) }) {
		for about, s := range specs {
			p, err := Parse(name, period)
			if err != nil {
				t.Fatal(err)
			}
			w := policytest.NewWorld(t, p)
			for _, node := range []string{"n1", "n2"} {
				w.Join(node, cluster.Description{CPU: 2000, Memory: 1024 * cluster.MiB, Cores: cores})
			}
			s.Requirement, s.Estimate = cluster.Requirement{Memory: 64 * cluster.MiB}, cluster.Minute
			foreseen := Refusal(name, w.Look(), &cluster.Job{Spec: &s, Tasks: make([]cluster.Task, s.Tasks)})
			w.Submit(s)
			list := p.Decide(w.Look()).Refuse
			if (foreseen == nil) != (len(list) == 0) || foreseen != nil && !sameReason(*foreseen, list[0].Reason) {
				t.Errorf("%s, %s: foreseen: %v, and it is refused: %v", name, about, foreseen, list)
			}
			refusals += len(list)
		}
	}
	if refusals == 0 {
		t.Error("no job was refused")
	}
}

// sameReason reports whether two reasons say the same, whatever their jobs.
func sameReason(a, b cluster.Reason) bool {
	return a.Code == b.Code && slices.Equal(a.Values, b.Values)
}

func TestAllFourteenRowsOfTable1AreThere(t *testing.T) {
	for _, name := range []string{
		"Greedy *", "GreedyP *", "GreedyPM *", "Greedy/per", "GreedyP/per", "GreedyPM/per", "Greedy */per",
		"GreedyP */per", "GreedyPM */per", "MCB8 *", "MCB8/per", "MCB8 */per", "/per", "/stretch-per",
	} {
		if About(name) == "" {
			t.Errorf("there is no %q", name)
		}
	}
}

func TestSpellingsOfBlanksAreOneName(t *testing.T) {
	for name, want := range map[string]string{
		"GreedyPM */per/opt=min/minvt=600":            "GreedyPM */per/opt=min/minvt=600",
		"GreedyPM*/per/minvt=600":                     "GreedyPM */per/opt=min/minvt=600",
		" GreedyPM  * / per / minvt=600 / opt=min ":   "GreedyPM */per/opt=min/minvt=600",
		"GreedyPM*/stable":                            "GreedyPM */stable/opt=min",
		"GreedyPM */per/minft=5/opt=min / minvt=600 ": "GreedyPM */per/opt=min/minvt=600/minft=5",
		"/stretch-per":                                "/stretch-per/opt=max",
		"easy":                                        "EASY",
		"Attained / pay=0.30":                         "attained/pay=0.3",
		"attained/pay=0.1":                            "attained",
		" Easy / No-Reserved ":                        "EASY/no-reserved",
		"Conservative":                                "conservative",
		"fcfs":                                        "FCFS",
		"greedypm */per":                              "GreedyPM */per/opt=min",
		"MCB8 */PER/minft=2147483647":                 "MCB8 */per/opt=min/minft=2147483647",
		"measy / threshold=.90":                       "MEASY/threshold=0.9",
		"KEASY/threshold=0.96":                        "KEASY",
		"REASY/threshold=1/extra=prose":               "REASY/extra=prose/threshold=1",
		"KEASY/threshold=0.5/use=declared":            "KEASY/use=declared/threshold=0.5",
	} {
		p, err := Parse(name, period)
		if err != nil || fmt.Sprint(p) != want {
			t.Errorf("%q: %v, %v, want %q", name, p, err, want)
		}
	}
}

func TestPoliciesThatPromiseRunInSimulationsOnly(t *testing.T) {
	for _, name := range Names() {
		p, err := ParseLive(name, period)
		switch promises := Family(name) == "reserve"; {
		case promises && (p != nil || !strings.Contains(fmt.Sprint(err), name+" runs in simulations of streams only")):
			t.Errorf("%q: %v, %v", name, p, err)
		case !promises && err != nil || Live(name) == promises:
			t.Errorf("%q: %v, live: %v", name, err, Live(name))
		}
	}
}

func TestWrongNamesAreAnsweredWithAdvice(t *testing.T) {
	for name, want := range map[string]string{
		"":                              `there are ` + strings.Join(Names(), ", "),
		"nonsense":                      `there are ` + strings.Join(Names(), ", "),
		"x":                             `there are ` + strings.Join(Names(), ", "),
		"GreedyMP periodic":             `there are ` + strings.Join(Names(), ", "),
		"Greedi PM */Pers":              `did you mean "GreedyPM */per"?`,
		"GredyPM */per":                 `did you mean "GreedyPM */per"?`,
		"MBC8 *":                        `did you mean "MCB8 *"?`,
		"fcsf":                          `did you mean "FCFS"?`,
		"Greedy":                        `did you mean "Greedy *"?`,
		"GreedyPM */Pers":               `did you mean "GreedyPM */per"?`,
		"/strech-per/opt=max":           `did you mean "/stretch-per"?`,
		"MCB8-stretch":                  `did you mean "/stretch-per"?`,
		"mcb8-strech/opt=avg":           `did you mean "/stretch-per"?`,
		"MCB8":                          `did you mean "MCB8 *"?`,
		"per/opt=min":                   `did you mean "/per"?`,
		"stretch-per":                   `did you mean "/stretch-per"?`,
		"Conservative backfilling":      `did you mean "conservative"?`,
		"EASY-backfilling":              `did you mean "EASY"?`,
		"GreedyPM */per/opt=mn":         `opt is "mn": did you mean "opt=min"?`,
		"GreedyPM */per/opt=max":        `opt is "max": GreedyPM */per has opt=min and opt=avg`,
		"/stretch-per/opt=min":          `opt is "min": /stretch-per has opt=max and opt=avg`,
		"GreedyPM */per/opt=best":       `opt is "best": GreedyPM */per has opt=min and opt=avg`,
		"GreedyPM */per/minvt=ten":      `minvt is "ten", must be a whole number of seconds from 1 to 2147483647`,
		"GreedyPM */per/minvt=0":        `minvt is "0", must be a whole number of seconds from 1 to 2147483647`,
		"GreedyPM */per/minft=-5":       `minft is "-5", must be a whole number of seconds from 1 to 2147483647`,
		"MCB8 */minvt=9999999999":       `minvt is "9999999999", must be a whole number of seconds from 1 to 2147483647`,
		"GreedyPM */per/":               `nothing follows a slash: leave the slash out`,
		"MCB8 *//opt=min":               `nothing follows a slash: leave the slash out`,
		"GreedyPM */per/mintv=5":        `unknown parameter "mintv=5": did you mean "minvt=5"?`,
		"GreedyPM */per/frequency=5":    `unknown parameter "frequency=5": there are opt=min|avg, minvt=SECONDS and minft=SECONDS`,
		"Greedy */minvt=300":            `minvt limits what MCB8 moves, but Greedy * never runs MCB8: leave it out`,
		"MCB8 */minvt=300/minvt=300":    `minvt is given twice`,
		"MCB8 */opt=min/opt=min":        `opt is given twice`,
		"EASY/no-reservd":               `did you mean "EASY/no-reserved"?`,
		"conservativ":                   `did you mean "conservative"?`,
		"FCFS/opt=min":                  `FCFS takes no parameters, but got ["opt=min"]`,
		"MEASY/threshold=96":            `threshold is "96", must be a part of a node from 0.000001 to 1`,
		"MEASY/threshold=0":             `threshold is "0", must be a part of a node from 0.000001 to 1`,
		"MEASY/threshold=1e-1":          `threshold is "1e-1", must be a part of a node from 0.000001 to 1`,
		"MEASY/threshold=NaN":           `threshold is "NaN", must be a part of a node from 0.000001 to 1`,
		"MEASY/blind/blind":             `blind is given twice`,
		"KEASY/threshold=1/blind":       `a blind policy knows no use of CPU: leave blind out, or threshold and use`,
		"KEASY/extra=prose":             `there is no parameter "extra=prose"; there are blind, use=declared and threshold=PART`,
		"REASY/threshold=1/threshold=1": `threshold is given twice`,
		"attained/pay=0":                `pay is "0", must be a number from 0.001 to 1000`,
		"attained/pay=1e2":              `pay is "1e2", must be a number from 0.001 to 1000`,
		"attained/pay=1/pay=1":          `pay is given twice`,
		"attained/cost=3":               `there is no parameter "cost=3"; there is pay=PART`,
	} {
		_, err := Parse(name, period)
		if err == nil || !strings.HasSuffix(err.Error(), want) || !strings.Contains(err.Error(), fmt.Sprintf("%q", name)) {
			t.Errorf("%q: %v, want it to end in %q", name, err, want)
		}
	}
}

func TestThePeriodMattersToPoliciesThatTick(t *testing.T) {
	for _, name := range append(Names(), policytest.Variants()...) {
		if want := strings.Contains(name, "/per") || strings.Contains(name, "-per") ||
			strings.Contains(name, "stable") || name == "attained"; Ticks(name) != want {
			t.Errorf("%s ticks: %v", name, Ticks(name))
		}
	}
	if Ticks("no such policy") {
		t.Error("what is no policy ticks")
	}
}

func TestPeriodicPoliciesNeedAPeriod(t *testing.T) {
	if _, err := Parse("/per", 0); err == nil || !strings.Contains(err.Error(), "its period must be above zero") {
		t.Error(err)
	}
	if _, err := Parse("MCB8 *", 0); err != nil {
		t.Error(err)
	}
}

func TestAWordThatHalfDiffersFromEveryNameIsNoSlip(t *testing.T) {
	if _, err := Parse("NOPE", period); err == nil || strings.Contains(err.Error(), "did you mean") {
		t.Error(err)
	}
}
