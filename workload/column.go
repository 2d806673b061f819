package workload

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"aliquot/cluster"
)

// column is one named column of the native format.
type column struct {
	name     string
	expected string
	set      func(*Job, string) bool  // reports false if the text is not a valid value
	append   func([]byte, Job) []byte // empty where the job has no value
}

// required is the number of columns that every stream has. They are written first, in this order.
const required = 6

var columns = []column{
	number("id", 0, 0, maxID, 1, func(j *Job) *int64 { return &j.ID }),
	number("submit", 6, 0, maxSeconds*1e6, 1, func(j *Job) *cluster.Time { return &j.Submit }),
	number("tasks", 0, 1, maxTasks, 1, func(j *Job) *int { return &j.Tasks }),
	number("cpu", 5, 1, MostNodes*1e5, cpuStep, func(j *Job) *cluster.CPU { return &j.Need }),
	number("mem", 5, 1, MostNodes*1e5, memoryStep, func(j *Job) *cluster.Bytes { return &j.Memory }),
	number("runtime", 6, 1, maxSeconds*1e6, 1, func(j *Job) *cluster.Time { return &j.Runtime }),
	estimate,
	{
		name:     "user",
		expected: fmt.Sprintf("a name of at most %d bytes without control characters", maxUser),
		set: func(j *Job, s string) bool {
			j.User = strings.Clone(s) // s is a slice of its line's buffer
			return len(s) <= maxUser && utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
		},
		append: func(b []byte, j Job) []byte { return append(b, j.User...) },
	},
	{
		name:     "priority",
		expected: fmt.Sprintf("empty or a whole number from %d to %d", -maxPriority, maxPriority),
		set: func(j *Job, s string) bool {
			n, err := strconv.ParseInt(s, 10, 64)
			j.Priority = n
			return s == "" || err == nil && n >= -maxPriority && n <= maxPriority
		},
		append: func(b []byte, j Job) []byte {
			if j.Priority == 0 {
				return b
			}
			return strconv.AppendInt(b, j.Priority, 10)
		},
	},
	{
		name:     "on_loss",
		expected: "empty, restart or fail",
		set: func(j *Job, s string) bool {
			j.FailOnLoss = s == "fail"
			return s == "" || s == "restart" || s == "fail"
		},
		append: func(b []byte, j Job) []byte {
			if j.FailOnLoss {
				return append(b, "fail"...)
			}
			return b
		},
	},
	{
		name:     "class",
		expected: "empty, standard, background or either",
		set: func(j *Job, s string) bool {
			class, err := cluster.ParseClass(s)
			j.Class = class
			return err == nil
		},
		append: func(b []byte, j Job) []byte {
			if j.Class == cluster.StandardClass {
				return b
			}
			return append(b, j.Class.String()...)
		},
	},
	optional("bgrate", 1, int64(cluster.Whole), func(j *Job) *cluster.Parts { return &j.Rate }),
	optional("eff", 1, int64(cluster.Whole), func(j *Job) *cluster.Parts { return &j.Efficiency }),
	optional("ready", 0, maxSeconds*1e6, func(j *Job) *cluster.Time { return &j.Ready }),
	optional("deadline", 1, maxSeconds*1e6, func(j *Job) *cluster.Time { return &j.Deadline }),
	optional("loss", 0, int64(cluster.Whole)-1, func(j *Job) *cluster.Parts { return &j.Loss }),
}

var estimate = optional("estimate", 0, maxSeconds*1e6, func(j *Job) *cluster.Time { return &j.Estimate })

// optional returns a column of numbers with six decimals that may be empty, which is 0.
func optional[T ~int64](name string, low, high int64, field func(*Job) *T) column {
	c := number(name, 6, low, high, 1, field)
	set, text := c.set, c.append
	c.expected = "empty or " + c.expected
	c.set = func(j *Job, s string) bool { return s == "" || set(j, s) }
	c.append = func(b []byte, j Job) []byte {
		if *field(&j) == 0 {
			return b
		}
		return text(b, j)
	}
	return c
}

// number returns a column of multiples of 10^-decimals from low to high, kept in units of step.
func number[T ~int | ~int64](name string, decimals int, low, high int64, step T, field func(*Job) *T) column {
	kind := "number"
	if decimals == 0 {
		kind = "whole number"
	}
	return column{
		name:     name,
		expected: fmt.Sprintf("a %s from %s to %s", kind, appendFixed(nil, low, decimals), appendFixed(nil, high, decimals)),
		set: func(j *Job, s string) bool {
			if decimals == 0 && strings.Contains(s, ".") {
				return false
			}
			n, ok := fixed(s, decimals)
			*field(j) = T(n) * step
			return ok && n >= low && n <= high
		},
		append: func(b []byte, j Job) []byte { return appendFixed(b, int64(*field(&j)/step), decimals) },
	}
}
