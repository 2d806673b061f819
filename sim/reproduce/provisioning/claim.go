package provisioning

import (
	"fmt"
	"math"
	"slices"

	"aliquot/sim/reproduce"
	"aliquot/sim/reproduce/study"
)

// Checks compares the claims of the thesis with our results, for the parts of the scope.
func (b Book) Checks() (checks []reproduce.Check) {
	for _, p := range b.Scope.Parts {
		switch p {
		case slots:
			checks = append(checks, b.slotClaims()...)
		case plans:
			checks = append(checks, b.planClaims("moga", "Figure 13")...)
			checks = append(checks, b.settingClaims()...)
			checks = append(checks, b.planClaims("greedy", "Figure 52")...)
			checks = append(checks, b.greedyClaims()...)
		case prices:
			checks = append(checks, b.priceClaims()...)
		case ours:
			checks = append(checks, b.goals()...)
		}
	}
	return study.Judged(checks, b.Scope.Full)
}

func (b Book) slotClaims() []reproduce.Check {
	large, few := slotsOf(430, 63), slotsOf(128, 70)
	return []reproduce.Check{
		b.claim("Figure 4: 27 slots on 430 processors, 14 on 128, on average (within a half)", func(j *judgment) {
			n, m := j.of(large, "slots"), j.of(few, "slots")
			j.say(n > 18 && n < 40 && m > 9 && m < 21, "%.0f and %.0f", n, m)
		}),
		b.claim("Figure 5: there are more slots where there are more tasks (correlation above 0.2)", func(j *judgment) {
			n, m := j.of(large, "correlation"), j.of(few, "correlation")
			j.say(min(n, m) > .2, "%.2f and %.2f", n, m)
		}),
		b.claim("Figure 7: most slots have 1 to 10 processors", func(j *judgment) {
			n, m := j.of(large, "narrow"), j.of(few, "narrow")
			j.say(min(n, m) > .5, "%.0f and %.0f %%", 100*n, 100*m)
		}),
		b.claim("Figure 2: the incremental scheduler equals conservative backfilling", func(j *judgment) {
			n, m := j.of(large, "missed"), j.of(few, "missed")
			j.say(max(n, m) == 0, "%.1f and %.1f %% of the tasks begin later", 100*n, 100*m)
		}),
	}
}

// at returns the mean of a number of a method at a weight.
func (j *judgment) at(e Experiment, method, what string, alpha int) float64 {
	return j.of(e, fmt.Sprint(method, " ", what, " ", alpha))
}

// spread returns the least and the most of a number of a method over all weights.
func (j *judgment) spread(e Experiment, method, what string) (least, most float64) {
	least = math.Inf(1)
	for alpha := range alphas {
		x := j.at(e, method, what, alpha)
		least, most = min(least, x), max(most, x)
	}
	return least, most
}

// planClaims are those of both methods. All numbers are relative to best effort.
func (b Book) planClaims(method, figure string) []reproduce.Check {
	usual := planOf(loads[0], means[0], counts[0])
	return []reproduce.Check{
		b.claim(figure+": "+method+" has a lower makespan than best effort at every α", func(j *judgment) {
			least, most := j.spread(usual, method, "makespan")
			j.say(most < 1, "%.2f to %.2f times", least, most)
		}),
		b.claim(figure+": "+method+" costs as much as best effort at α = 1 (within 2 %)", func(j *judgment) {
			x := j.at(usual, method, "cost", 4)
			j.say(x < 1.02, "%.3f times", x)
		}),
		b.claim(figure+": "+method+" costs more at α = 0", func(j *judgment) {
			x := j.at(usual, method, "cost", 0)
			j.say(x > 1, "%.3f times", x)
		}),
	}
}

// settingClaims are those of chapter 4 about settings.
func (b Book) settingClaims() []reproduce.Check {
	makespan := func(j *judgment, e Experiment) float64 { return j.at(e, "moga", "makespan", 2) }
	extra := func(j *judgment, mean int) float64 { return j.at(planOf(63, mean, 100), "moga", "cost", 0) }
	return []reproduce.Check{
		b.claim("Figure 14: the gain in makespan grows with the number of tasks (α = 0.5)", func(j *judgment) {
			few, many := makespan(j, planOf(63, 22, counts[0])), makespan(j, planOf(63, 22, counts[1]))
			j.say(many < few, "%.2f times with %d tasks, %.2f with %d", few, counts[0], many, counts[1])
		}),
		b.claim("Figure 15: the extra cost at α = 0 falls with the processors of tasks", func(j *judgment) {
			at := []float64{extra(j, 3), extra(j, 10), extra(j, 22), extra(j, 30)}
			j.say(slices.IsSortedFunc(at, func(x, y float64) int { return compareFloats(y, x) }),
				"%.2f, %.2f, %.2f, %.2f times with 3, 10, 22, 30", at[0], at[1], at[2], at[3])
		}),
		b.claim("Figure 15: the gain in makespan is larger with more processors (3 and 30, α = 0)", func(j *judgment) {
			few, many := j.at(planOf(63, 3, 100), "moga", "makespan", 0), j.at(planOf(63, 30, 100), "moga", "makespan", 0)
			j.say(many < few, "%.2f and %.2f times", few, many)
		}),
		b.claim("Figure 16: the makespan, relative to best effort, falls with the load (α = 0.5)", func(j *judgment) {
			low, middle := makespan(j, planOf(63, 22, 100)), makespan(j, planOf(76, 22, 100))
			high := makespan(j, planOf(88, 22, 100))
			j.say(low > middle && middle > high, "%.2f, %.2f, %.2f times", low, middle, high)
		}),
		b.claim("Figure 16: the cost hardly moves with the load (by less than 5 %)", func(j *judgment) {
			low, high := j.at(planOf(63, 22, 100), "moga", "cost", 2), j.at(planOf(88, 22, 100), "moga", "cost", 2)
			j.say(math.Abs(high-low) < .05, "%.3f and %.3f times", low, high)
		}),
	}
}

func compareFloats(x, y float64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// greedyClaims are those of chapter 7.
func (b Book) greedyClaims() []reproduce.Check {
	usual := planOf(loads[0], means[0], counts[0])
	return []reproduce.Check{
		b.claim("Figure 52: greedy provisioning is dearer and faster than MOGA at α = 0", func(j *judgment) {
			cost, time := j.at(usual, "greedy", "cost", 0), j.at(usual, "greedy", "makespan", 0)
			theirs, then := j.at(usual, "moga", "cost", 0), j.at(usual, "moga", "makespan", 0)
			j.say(cost > theirs && time < then, "%.2f times the cost of best effort against %.2f, %.2f times its makespan against %.2f",
				cost, theirs, time, then)
		}),
		b.claim("Figure 53: its makespan hardly depends on α (within 10 %), its cost does (by more)", func(j *judgment) {
			time := j.at(usual, "greedy", "makespan", 4)/j.at(usual, "greedy", "makespan", 0) - 1
			cost := j.at(usual, "greedy", "cost", 0)/j.at(usual, "greedy", "cost", 4) - 1
			j.say(time < .1 && cost > .1, "makespan +%.0f %% from 0 to 1, cost +%.0f %% from 1 to 0", 100*time, 100*cost)
		}),
		b.claim("Figure 54: its relative extra cost at α = 0 falls with the processors of tasks (3 and 30)", func(j *judgment) {
			few, many := j.at(planOf(63, 3, 100), "greedy", "cost", 0), j.at(planOf(63, 30, 100), "greedy", "cost", 0)
			j.say(many < few, "%.2f and %.2f times", few, many)
		}),
	}
}

// priceClaims are those of chapter 5. Prices are in processor-hours, waits in hours.
func (b Book) priceClaims() []reproduce.Check {
	at := func(j *judgment, load, alpha, share int, rule, name string) float64 {
		return j.of(priceOf(load, alpha, share, rule), name)
	}
	return []reproduce.Check{
		b.claim("Figure 23: prices are highest at α = 0, and 0 at α = 1", func(j *judgment) {
			var all []float64
			for alpha := range alphas {
				all = append(all, at(j, 63, alpha, 10, conservative, "price"))
			}
			j.say(slices.Max(all) == all[0] && all[0] > 0 && all[4] == 0, "%.1f, %.1f, %.1f, %.1f, %.1f", all[0], all[1], all[2],
				all[3], all[4])
		}),
		b.claim("Figure 24: reservations wait less than the queue at α = 0 (less than half)", func(j *judgment) {
			r, q := at(j, 63, 0, 10, conservative, "reserved wait"), at(j, 63, 0, 10, conservative, "queued wait")
			j.say(r < q/2, "%.2f h and %.2f h", r, q)
		}),
		b.claim("Figure 25: prices rise with the load (α = 0)", func(j *judgment) {
			low, middle, high := at(j, 63, 0, 10, conservative, "price"), at(j, 76, 0, 10, conservative, "price"),
				at(j, 88, 0, 10, conservative, "price")
			j.say(low < middle && middle < high, "%.1f, %.1f, %.1f", low, middle, high)
		}),
		b.claim("Figure 27: prices fall with the part of tasks that reserve (α = 0)", func(j *judgment) {
			few, some, many := at(j, 63, 0, 10, conservative, "price"), at(j, 63, 0, 50, conservative, "price"),
				at(j, 63, 0, 90, conservative, "price")
			j.say(few > some && some > many, "%.1f, %.1f, %.1f", few, some, many)
		}),
		b.claim("Figure 28: with 50 % reservations, the queue waits less at α = 1, and reservations more", func(j *judgment) {
			q0, q1 := at(j, 63, 0, 50, conservative, "queued wait"), at(j, 63, 4, 50, conservative, "queued wait")
			r0, r1 := at(j, 63, 0, 50, conservative, "reserved wait"), at(j, 63, 4, 50, conservative, "reserved wait")
			j.say(q1 < q0 && r1 > r0, "queue %.2f h and %.2f h, reservations %.2f h and %.2f h", q0, q1, r0, r1)
		}),
		b.claim("Figure 29: aggressive backfilling is dearer than conservative (mean over α)", func(j *judgment) {
			ab, cb := 0., 0.
			for alpha := range alphas {
				ab += at(j, 63, alpha, 10, aggressive, "price") / 5
				cb += at(j, 63, alpha, 10, conservative, "price") / 5
			}
			j.say(ab > cb, "%.1f and %.1f", ab, cb)
		}),
	}
}

// exactly judges the mean part of the hypervolume of exact fronts, where these are known.
func (j *judgment) exactly(kind string, goal float64, theirs string) {
	e := oursOf(kind)
	known := j.of(e, "known")
	best, sweep, other := j.of(e, "best")/known, j.of(e, "sweep")/known, j.of(e, theirs)/known
	j.say(best >= goal, "%.3f; %s %.3f, the sweep %.3f; it ended on %.0f %% of the instances", best, theirs, other, sweep,
		100*known)
}

// goals are those of our methods.
func (b Book) goals() []reproduce.Check {
	return []reproduce.Check{
		b.claim("Ours: on 4 to 8 tasks and 5 to 14 slots, best has 98 % of the exact front's hypervolume, on average, "+
			"where a search of all schedules ended", func(j *judgment) { j.exactly(small, .98, "moga") }),
		b.claim("Ours: on 4 to 8 tasks and queues, best has 85 % of the exact front's hypervolume, on average, "+
			"where a search of all starts ended", func(j *judgment) { j.exactly(queries, .85, "greedy") }),
		b.claim("Ours: with 100 tasks, best never has less hypervolume than MOGA", func(j *judgment) {
			theirs, mine := j.all(oursOf(large), "moga"), j.all(oursOf(large), "best")
			below := 0
			for i := range min(len(theirs), len(mine)) {
				if mine[i] < theirs[i] {
					below++
				}
			}
			j.say(below == 0, "less on %d of %d; of the union's, MOGA has %.3f, best %.3f", below, len(mine), mean(theirs),
				mean(mine))
		}),
		b.claim("Ours: it takes at most a fifth of MOGA's time", func(j *judgment) {
			theirs, mine := j.of(oursOf(large), "moga seconds"), j.of(oursOf(large), "best seconds")
			j.say(mine <= theirs/5, "a part of %.2f", mine/theirs)
		}),
	}
}
