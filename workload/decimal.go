package workload

import (
	"math"
	"strconv"
	"strings"
)

// fixed reads a decimal number without exponent as a multiple of 10^-decimals, rounded to the nearest,
// halves up. It refuses text that is not such a number and numbers that do not fit into 64 bits.
func fixed(s string, decimals int) (int64, bool) {
	whole, part, point := strings.Cut(s, ".")
	if len(whole) == 0 || point && len(part) == 0 {
		return 0, false
	}
	n, ok := digits(0, whole)
	kept := min(decimals, len(part))
	if ok {
		n, ok = digits(n, part[:kept])
	}
	for range decimals - kept {
		ok = ok && n <= math.MaxInt64/10
		n *= 10
	}
	if !ok || n == math.MaxInt64 {
		return 0, false
	}
	if kept < len(part) && part[kept] >= '5' {
		n++
	}
	_, ok = digits(0, strings.TrimLeft(part[kept:], "0123456789"))
	return n, ok
}

// digits appends decimal digits to n.
func digits(n int64, s string) (int64, bool) {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' || n > (math.MaxInt64-9)/10 {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// appendFixed writes n multiples of 10^-decimals, without trailing zeros.
func appendFixed(b []byte, n int64, decimals int) []byte {
	unit := pow10(decimals)
	b = strconv.AppendInt(b, n/unit, 10)
	if n%unit == 0 {
		return b
	}
	b = append(b, '.')
	for n %= unit; n != 0; n %= unit {
		unit /= 10
		b = append(b, byte('0'+n/unit))
	}
	return b
}

func pow10(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}
