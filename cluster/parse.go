package cluster

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Limits of what can be written down; far above any machine, far below overflow.
const (
	maxCPU   CPU   = 1_000_000 * Core
	maxBytes Bytes = 1 << 50
)

// ParseCPU reads an amount of processing power: millicores like 1200m, or cores with up
// to three decimals like 1.2. It lies between 0 and a million cores.
func ParseCPU(s string) (CPU, error) {
	milli, err := parseMilli(s)
	if err != nil || milli > int64(maxCPU) {
		return 0, fmt.Errorf("%q is no amount of CPU: write millicores like 500m or cores like 1.5, at most %d cores", s,
			maxCPU/Core)
	}
	return CPU(milli), nil
}

func parseMilli(s string) (int64, error) {
	if whole, ok := strings.CutSuffix(s, "m"); ok {
		return parseDigits(whole)
	}
	return fixed(s)
}

// fixed reads a number with up to three decimals, in thousandths.
func fixed(s string) (int64, error) {
	whole, decimals, point := strings.Cut(s, ".")
	if whole == "" || point && decimals == "" || len(decimals) > 3 {
		return 0, errors.New("a number with one to three decimals expected")
	}
	return parseDigits(whole + decimals + "000"[len(decimals):])
}

// units of bytes, largest first.
var units = []struct {
	suffix string
	size   Bytes
}{{"Ti", 1 << 40}, {"Gi", 1 << 30}, {"Mi", 1 << 20}, {"Ki", 1 << 10}, {"", 1}}

// ParseBytes reads an amount of memory or storage: bytes, or whole Ki, Mi, Gi or Ti
// (powers of 1024) like 512Mi. It lies between 0 and 1024Ti. Powers of 1000 are refused,
// Because few people mean them.
func ParseBytes(s string) (Bytes, error) {
	for _, u := range units {
		digits, ok := strings.CutSuffix(s, u.suffix)
		if !ok {
			continue
		}
		n, err := parseDigits(digits)
		if err != nil || n > int64(maxBytes/u.size) {
			break
		}
		return Bytes(n) * u.size, nil
	}
	text := "%q is no amount of memory: write bytes, or whole Ki, Mi, Gi or Ti like 512Mi, at most 1024Ti"
	if likely := LikelyBytes(s); likely != "" {
		return 0, fmt.Errorf(text+"; you may mean %s", s, likely)
	}
	return 0, fmt.Errorf(text, s)
}

// LikelyBytes returns the amount that a text in another notation probably means, like 4Gi for 4GB, or 96Mi for 96; ""
// if no number that fits is in front.
func LikelyBytes(s string) string {
	number := strings.TrimRightFunc(s, unicode.IsLetter)
	unit := strings.ToUpper(s[len(number):])
	number = strings.TrimSpace(number)
	if _, err := parseDigits(number); err != nil || len(number) > 6 {
		return ""
	}
	if unit == "" {
		return number + "Mi"
	}
	switch letter, rest := unit[:1], unit[1:]; {
	case strings.Contains("KMGT", letter) && (rest == "" || rest == "B" || rest == "I" || rest == "IB"):
		if likely := number + letter + "i"; likely != s {
			return likely
		}
	}
	return ""
}

// parseDigits reads decimal digits alone: no sign, no space, no underscore.
func parseDigits(s string) (int64, error) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, errors.New("digits expected")
	}
	return strconv.ParseInt(s, 10, 64)
}
