package hetero

import (
	"math"
	"slices"

	"aliquot/sim/reproduce"
	"aliquot/sim/reproduce/study"
)

// Checks compares the claims of the paper's text with our results, for the parts of the scope.
func (b Book) Checks() (checks []reproduce.Check) {
	for _, p := range b.Scope.Parts {
		switch p {
		case fig3:
			checks = append(checks, b.overheadOfSJS()...)
		case fig4:
			checks = append(checks, b.overheadOfPJS()...)
		case fig5:
			checks = append(checks, b.batchClaims()...)
		case fig6:
			checks = append(checks, b.highClaims()...)
			checks = append(checks, b.otherClaims()...)
		case fig8:
			checks = append(checks, b.timeClaims()...)
			checks = append(checks, b.shareClaims()...)
		case ours:
			checks = append(checks, b.goals()...)
		}
	}
	return study.Judged(checks, b.Scope.Full)
}

func (b Book) overheadOfSJS() []reproduce.Check {
	at := func(j *judgment, jobs, machines int) float64 {
		return 1000 * j.of(Experiment{Policy: sjs, Jobs: jobs, Machines: machines}, seconds)
	}
	return []reproduce.Check{
		b.once("Figure 3: the overhead of SJS grows with jobs and machines", func(j *judgment) {
			low, jobs, machines, both := at(j, 5, 5), at(j, 100, 5), at(j, 5, 100), at(j, 100, 100)
			j.say(low < jobs && low < machines && jobs < both && machines < both,
				"%.3f ms for 5×5, %.3f for 100 jobs, %.3f for 100 machines, %.3f for both", low, jobs, machines, both)
		}),
		b.once("Figure 3: 100 jobs on 100 machines take less than 0.2 s, ours less than 0.2 ms", func(j *judgment) {
			both := at(j, 100, 100)
			j.say(both < 0.2, "%.3f ms", both)
		}),
	}
}

func (b Book) overheadOfPJS() []reproduce.Check {
	at := func(j *judgment, jobs, percent int) float64 {
		return 1000 * j.of(Experiment{Policy: pjs, Jobs: jobs, Machines: 40, Percent: percent}, seconds)
	}
	return []reproduce.Check{
		b.once("Figure 4: PJS takes two to three times as long as SJS (0 % parallel)", func(j *judgment) {
			least, most := math.Inf(1), 0.
			for _, percent := range percents[1:] {
				sum, alone := 0., 0.
				for _, n := range many {
					sum, alone = sum+at(j, n, percent), alone+at(j, n, 0)
				}
				least, most = min(least, sum/alone), max(most, sum/alone)
			}
			j.say(least >= 2 && most <= 3, "%.1f to %.1f times, over all numbers of jobs", least, most)
		}),
		b.once("Figure 4: the part of jobs that may run in parallel does not matter (within a factor of 1.5)", func(j *judgment) {
			var sums []float64
			for _, percent := range percents[1:] {
				sum := 0.
				for _, n := range many {
					sum += at(j, n, percent)
				}
				sums = append(sums, sum)
			}
			ratio := slices.Max(sums) / slices.Min(sums)
			j.say(ratio < 1.5, "from 10 %% to 100 %%, within a factor of %.2f", ratio)
		}),
		b.once("Not claimed: PJS plans 1,000 jobs on 40 machines in less than 5 ms", func(j *judgment) {
			most := 0.
			for _, percent := range percents {
				most = max(most, at(j, 1000, percent))
			}
			j.say(most < 5, "at most %.1f ms", most)
		}),
	}
}

// saving returns the part of the sum of job times that one policy saves over another.
func (j *judgment) saving(policy, over string, n int) float64 {
	return 1 - j.of(batch(j.site, policy, n), total)/j.of(batch(j.site, over, n), total)
}

// unseen is the greatest saving that is too small to be seen in a figure.
const unseen = 0.03

func (b Book) batchClaims() []reproduce.Check {
	return []reproduce.Check{
		b.everywhere("Figure 5: PJS is never worse than SJS", func(j *judgment) {
			least := math.Inf(1)
			for _, n := range batches() {
				least = min(least, j.saving(pjs, sjs, n))
			}
			j.say(least >= 0, "it saves %.1f %% or more", 100*least)
		}),
		b.everywhere("Figure 5: PJS saves up to nearly 50 % (40 to 50 %)", func(j *judgment) {
			most := 0.
			for _, n := range batches() {
				most = max(most, j.saving(pjs, sjs, n))
			}
			j.say(most > .4 && most < .5, "up to %.0f %%", 100*most)
		}),
		b.everywhere("Figure 5: from 50 jobs on, what PJS saves is too small to be seen (3 %)", func(j *judgment) {
			most := 0.
			for _, n := range batches() {
				if n >= 50 {
					most = max(most, j.saving(pjs, sjs, n))
				}
			}
			j.say(most < unseen, "up to %.1f %%", 100*most)
		}),
		b.everywhere("Figure 5: PJS finds small savings now and then from 30 jobs on (once at least)", func(j *judgment) {
			some, all := 0, 0
			for _, n := range batches() {
				if n >= 30 {
					all++
					if j.saving(pjs, sjs, n) > 0 {
						some++
					}
				}
			}
			j.say(some > 0, "at %d of %d numbers of jobs", some, all)
		}),
		b.everywhere("Conclusion: SJS is far ahead of OLB (by more than 20 %)", func(j *judgment) {
			least := math.Inf(1)
			for _, n := range batches() {
				least = min(least, j.saving(sjs, olb, n))
			}
			j.say(least > .2, "it saves %.0f %% or more", 100*least)
		}),
	}
}

// levelSaving returns the part that PJS saves of the job times of a level, over all totals within limits.
func (j *judgment) levelSaving(mix Mix, level string, low, high int) float64 {
	ours, theirs := 0., 0.
	for _, n := range totals() {
		if n >= low && n <= high {
			ours += j.of(leveled(j.site, pjs, mix, n), levelSum(level))
			theirs += j.of(leveled(j.site, sjs, mix, n), levelSum(level))
		}
	}
	return 1 - ours/theirs
}

func (b Book) highClaims() []reproduce.Check {
	return []reproduce.Check{
		b.everywhere("Figure 6: PJS is better for high jobs than SJS", func(j *judgment) {
			rare, some, many := j.levelSaving(mixes[0], "H", 0, 500), j.levelSaving(mixes[1], "H", 0, 500),
				j.levelSaving(mixes[2], "H", 0, 500)
			j.say(min(rare, some, many) > 0, "it saves %.1f, %.1f and %.1f %% of their times, by mix", 100*rare, 100*some,
				100*many)
		}),
		b.everywhere("Figure 6: the rarer high jobs are, the more they gain", func(j *judgment) {
			rare, some, many := j.levelSaving(mixes[0], "H", 0, 500), j.levelSaving(mixes[1], "H", 0, 500),
				j.levelSaving(mixes[2], "H", 0, 500)
			j.say(rare > some && some > many, "%.1f, %.1f, %.1f %%", 100*rare, 100*some, 100*many)
		}),
		b.everywhere("Figure 6: the curves of 10/10/80 converge after about 30 high jobs (10 % apart before, 5 % after)",
			func(j *judgment) {
				before, after := j.levelSaving(mixes[0], "H", 20, 200), j.levelSaving(mixes[0], "H", 320, 500)
				j.say(before > .1 && math.Abs(after) < .05, "PJS saves %.0f %% up to 20 of them, %.1f %% from 32 on",
					100*before, 100*after)
			}),
	}
}

func (b Book) otherClaims() []reproduce.Check {
	return []reproduce.Check{
		b.everywhere("Figure 6: times of medium jobs of 10/10/80 rise sharply, then fall by more than 10 %", func(j *judgment) {
			at, deepest := 0, 0.
			all := totals()
			for i := 1; i < len(all); i++ {
				before := j.of(leveled(j.site, pjs, mixes[0], all[i-1]), levelSum("M"))
				fall := 1 - j.of(leveled(j.site, pjs, mixes[0], all[i]), levelSum("M"))/before
				if fall > deepest {
					at, deepest = all[i], fall
				}
			}
			j.say(deepest > .1, "they fall by %.0f %% at %d medium jobs", 100*deepest, at/10)
		}),
		b.everywhere("Figure 6: low jobs are a little worse off under PJS in 10/10/80 and 25/25/50 (up to 10 %)",
			func(j *judgment) {
				rare, some := -j.levelSaving(mixes[0], "L", 0, 500), -j.levelSaving(mixes[1], "L", 0, 500)
				j.say(min(rare, some) > 0 && max(rare, some) < .1, "by %.2f and %.2f %%", 100*rare, 100*some)
			}),
		b.everywhere("Figure 6: low jobs are as well off under PJS in 50/25/25 (within 3 %)", func(j *judgment) {
			many := -j.levelSaving(mixes[2], "L", 0, 500)
			j.say(math.Abs(many) < .03, "%.2f %% worse", 100*many)
		}),
		b.everywhere("Figure 7: priorities cost less than 10 % in all", func(j *judgment) {
			least, most := math.Inf(1), math.Inf(-1)
			for _, policy := range []string{sjs, pjs} {
				for _, mix := range mixes[:3] {
					cost := j.all(policy, mix)/j.all(policy, mixes[3]) - 1
					least, most = min(least, cost), max(most, cost)
				}
			}
			j.say(most < .1, "%.1f to %.1f %%", 100*least, 100*most)
		}),
		b.everywhere("Figure 7: in all, PJS and SJS do not differ (within 5 %)", func(j *judgment) {
			most := 0.
			for _, mix := range mixes {
				most = max(most, math.Abs(j.all(pjs, mix)/j.all(sjs, mix)-1))
			}
			j.say(most < .05, "by up to %.1f %%", 100*most)
		}),
	}
}

// all returns the sum of job times over all totals.
func (j *judgment) all(policy string, mix Mix) (sum float64) {
	for _, n := range totals() {
		sum += j.of(leveled(j.site, policy, mix, n), total)
	}
	return sum
}
