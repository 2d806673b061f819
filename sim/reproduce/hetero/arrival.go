package hetero

import (
	"fmt"
	"math"
	"strings"

	"aliquot/sim/reproduce"
)

// timeClaims are those of Figures 8 and 9(a).
func (b Book) timeClaims() []reproduce.Check {
	return []reproduce.Check{
		b.everywhere("Figure 8: high jobs take less time than medium ones, and these less than low ones", func(j *judgment) {
			good, all := 0, 0
			for _, mix := range mixes[:3] {
				for _, rate := range rates {
					h, m, l := j.over(pjs, mix, rate, levelMean("H")), j.over(pjs, mix, rate, levelMean("M")),
						j.over(pjs, mix, rate, levelMean("L"))
					all++
					if h < m && m < l {
						good++
					}
				}
			}
			j.say(good == all, "at %d of %d points", good, all)
		}),
		b.everywhere("Figure 8: high jobs of 10/10/80 take little more than 100 s at all rates (up to 160 s)", func(j *judgment) {
			least, most := math.Inf(1), 0.
			for _, rate := range rates {
				h := j.over(pjs, mixes[0], rate, levelMean("H"))
				least, most = min(least, h), max(most, h)
			}
			j.say(most < 160, "%.0f to %.0f s", least, most)
		}),
		b.everywhere("Figure 8: high jobs of 50/25/25 take more than four times as long as those of 10/10/80 at rate 32",
			func(j *judgment) {
				ratio := j.over(pjs, mixes[2], 32, levelMean("H")) / j.over(pjs, mixes[0], 32, levelMean("H"))
				j.say(ratio > 4, "%.1f times", ratio)
			}),
		b.everywhere("Figure 8: times rise with the rate, at more than two of three steps, but not at every one", func(j *judgment) {
			rise, fall := 0, 0
			for _, mix := range mixes[:3] {
				for _, level := range []string{"H", "M", "L"} {
					for i := 1; i < len(rates); i++ {
						if j.over(pjs, mix, rates[i], levelMean(level)) > j.over(pjs, mix, rates[i-1], levelMean(level)) {
							rise++
						} else {
							fall++
						}
					}
				}
			}
			j.say(rise > 2*fall && fall > 0, "%d steps rise, %d fall", rise, fall)
		}),
		b.everywhere("Figure 9(a): priorities with preemption cost a little in all, on average (up to 25 %)", func(j *judgment) {
			cost := 0.
			for _, mix := range mixes[:3] {
				for _, rate := range rates {
					cost += j.over(pjs, mix, rate, mean)/j.over(pjs, mixes[3], rate, mean) - 1
				}
			}
			cost /= float64(3 * len(rates))
			j.say(cost > 0 && cost < .25, "%.1f %%", 100*cost)
		}),
		b.everywhere("Figure 9(a): up to rate 4 the mixes with more high jobs are better off in all", b.order(1, 4, 1)),
		b.everywhere("Figure 9(a): from rate 16 on the mix with few high jobs is best off in all", b.order(16, 32, -1)),
		b.everywhere("Section 5.4: at low rates, low jobs of 10/10/80 are preempted most", func(j *judgment) {
			early, late, other := j.perLow(mixes[0], rates[:3]), j.perLow(mixes[0], rates[3:]), j.perLow(mixes[2], rates[:3])
			j.say(early > late && early > other, "%.2f preemptions a low job at rates 1 to 4, %.2f above; %.2f of 50/25/25",
				early, late, other)
		}),
		b.everywhere("Not claimed: from rate 4 on, SJS takes less time than PJS in all", func(j *judgment) {
			good, all := 0, 0
			for _, mix := range mixes {
				for _, rate := range rates[2:] {
					all++
					if j.over(sjs, mix, rate, mean) < j.over(pjs, mix, rate, mean) {
						good++
					}
				}
			}
			j.say(good == all, "at %d of %d points", good, all)
		}),
	}
}

// perLow returns the preemptions of PJS for each low job of a mix, on average over rates.
func (j *judgment) perLow(mix Mix, rates []int) (sum float64) {
	for _, rate := range rates {
		sum += j.over(pjs, mix, rate, func(r Result) float64 {
			return float64(r.Preemptions) / float64(max(1, r.Levels["L"].Jobs))
		})
	}
	return sum / float64(len(rates))
}

// order claims an order of the mixes by the mean time of all jobs: the first takes the longest (1), or the shortest.
func (b Book) order(low, high int, sign float64) func(*judgment) {
	return func(j *judgment) {
		good, all := 0, 0
		var words []string
		for _, rate := range rates {
			if rate < low || rate > high {
				continue
			}
			few, some, many := j.over(pjs, mixes[0], rate, mean), j.over(pjs, mixes[1], rate, mean),
				j.over(pjs, mixes[2], rate, mean)
			all++
			if sign > 0 && few > some && some > many || sign < 0 && few < min(some, many) {
				good++
			}
			words = append(words, fmt.Sprintf("%.0f, %.0f, %.0f s", few, some, many))
		}
		j.say(good == all, "by mix, %s", strings.Join(words, "; "))
	}
}

// shareClaims are those of Figure 9(b) and Table 1.
func (b Book) shareClaims() []reproduce.Check {
	return []reproduce.Check{
		b.everywhere("Figure 9(b): the part of parallel jobs falls with the rate", func(j *judgment) {
			fall, all := 0, 0
			for _, mix := range mixes {
				for i := 1; i < len(rates); i++ {
					all++
					if j.over(pjs, mix, rates[i], share) < j.over(pjs, mix, rates[i-1], share) {
						fall++
					}
				}
			}
			j.say(fall == all, "at %d of %d steps", fall, all)
		}),
		b.everywhere("Table 1: at rate 1 about 80 % of the jobs are parallel (four of five classes can; 65 to 85 %)",
			func(j *judgment) {
				least, most := 1., 0.
				for _, mix := range mixes {
					s := j.over(pjs, mix, 1, share)
					least, most = min(least, s), max(most, s)
				}
				j.say(least > .65 && most < .85, "%.0f to %.0f %%", 100*least, 100*most)
			}),
		b.everywhere("Table 1: from rate 8 on, low jobs are less often parallel than high ones", func(j *judgment) {
			good, all := 0, 0
			for _, mix := range mixes[:3] {
				for _, rate := range rates[3:] {
					all++
					if j.over(pjs, mix, rate, levelShare("L")) < j.over(pjs, mix, rate, levelShare("H")) {
						good++
					}
				}
			}
			j.say(good == all, "at %d of %d points", good, all)
		}),
		b.everywhere("Table 1: the part of parallel high jobs falls faster where there are more of them", func(j *judgment) {
			fall := func(mix Mix) float64 {
				return j.over(pjs, mix, 1, levelShare("H")) - j.over(pjs, mix, 32, levelShare("H"))
			}
			few, some, many := fall(mixes[0]), fall(mixes[1]), fall(mixes[2])
			j.say(few < some && some < many, "from rate 1 to 32 by %.0f, %.0f, %.0f points", 100*few, 100*some, 100*many)
		}),
	}
}
