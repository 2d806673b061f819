package swf

import (
	"fmt"
	"strconv"
	"strings"
)

// Header is the comment at the top of a log: its lines, each with its semicolon but without
// surrounding white space.
type Header []string

// Add appends a directive such as MaxProcs.
func (h *Header) Add(label string, value any) { *h = append(*h, fmt.Sprintf("; %s: %v", label, value)) }

// Get returns the value of the first directive of this label, or "".
func (h Header) Get(label string) string {
	for _, line := range h {
		name, value, found := strings.Cut(strings.TrimLeft(line, "; \t"), ":")
		if found && strings.EqualFold(strings.TrimSpace(name), label) {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Number returns the whole number at the beginning of a directive's value, or Unknown.
func (h Header) Number(label string) int64 {
	value := h.Get(label)
	end := strings.IndexFunc(value, func(c rune) bool { return c < '0' || c > '9' })
	if end < 0 {
		end = len(value)
	}
	n, err := strconv.ParseInt(value[:end], 10, 64)
	if err != nil {
		return Unknown
	}
	return n
}
