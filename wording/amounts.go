package wording

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Number formats a value with three or four significant digits and thousands separators: 0.344, 6.94, 3,579. It
// formats a value that is not finite as a dash. It formats an absolute value below a billionth as 0, because such a
// value is a rounding error.
func Number(x float64) string {
	magnitude := math.Abs(x)
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return "–"
	case magnitude < 1e-9:
		return "0"
	case magnitude < 0.0005:
		return strconv.FormatFloat(x, 'g', 2, 64)
	case magnitude < 1:
		return strconv.FormatFloat(x, 'f', 3, 64)
	case magnitude < 10:
		return strconv.FormatFloat(x, 'f', 2, 64)
	case magnitude < 1000:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	s := strconv.FormatFloat(x, 'f', 0, 64)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Span formats a length in seconds by its two largest units: 41s, 12m10s, 3h20m, 2d4h. Below 10 s it uses two digits.
func Span(seconds float64) string {
	whole := int64(math.Round(seconds))
	switch {
	case seconds > 0 && seconds < 9.95:
		return strconv.FormatFloat(seconds, 'g', 2, 64) + "s"
	case whole < 60:
		return fmt.Sprintf("%ds", whole)
	case whole < 3600:
		return units(whole/60, "m", whole%60, "s")
	case whole < 2*86400:
		return units(whole/3600, "h", whole%3600/60, "m")
	}
	return units(whole/86400, "d", whole%86400/3600, "h")
}

func units(large int64, name string, small int64, part string) string {
	if small == 0 {
		return fmt.Sprintf("%d%s", large, name)
	}
	return fmt.Sprintf("%d%s%d%s", large, name, small, part)
}

// Clock formats a point in time of a trace, whose clock begins at 0 seconds: 1d 03:12:45.5.
func Clock(seconds float64) string {
	tenths := int64(math.Round(seconds * 10))
	days, rest := tenths/864_000, tenths%864_000
	s := fmt.Sprintf("%02d:%02d:%04.1f", rest/36_000, rest/600%60, float64(rest%600)/10)
	if days > 0 {
		s = fmt.Sprintf("%dd %s", days, s)
	}
	return s
}

// Count formats a number of things: no jobs, 1 job, 7 jobs. plural is the plural of thing if it is not thing plus s.
func Count(n int, thing string, plural ...string) string {
	many := thing + "s"
	if len(plural) > 0 {
		many = plural[0]
	}
	switch n {
	case 0:
		return "no " + many
	case 1:
		return "1 " + thing
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Few lists up to twelve ids, and the number of the others among count.
func Few(ids []int64, count int) string {
	ids = ids[:min(12, len(ids))]
	var names []string
	for _, id := range ids {
		names = append(names, strconv.FormatInt(id, 10))
	}
	list := strings.Join(names, ", ")
	if more := count - len(ids); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}
