package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"aliquot/web/api"
)

// Problem is a manager's refusal, with its code and advice.
type Problem struct{ api.Problem }

func (p *Problem) Error() string {
	text := p.Detail
	if p.Field != "" && !selfContained(text, p.Field) {
		text = p.Field + ": " + text
	}
	for _, f := range p.Errors[min(1, len(p.Errors)):] {
		text += "; " + strings.TrimPrefix(f.Field+": ", ": ") + f.Message
	}
	return fmt.Sprintf("%s (%s)", text, p.Code)
}

// selfContained reports whether a detail is a full sentence that needs no field name before it.
func selfContained(detail, field string) bool {
	words := strings.FieldsFunc(detail, func(r rune) bool { return !unicode.IsLetter(r) })
	switch {
	case len(words) == 0, slices.Contains([]string{"has", "is", "must", "needs", "would"}, words[0]):
		return false
	}
	return words[0] == "there" || words[0] == "node" || strings.HasPrefix(detail, "it would ") ||
		slices.Contains(words, field)
}

// Unreachable means that no manager could be reached.
type Unreachable struct{ Causes []error }

func (u *Unreachable) Error() string {
	return "no manager could be reached: " + errors.Join(u.Causes...).Error()
}

// Unwrap returns the error of each manager.
func (u *Unreachable) Unwrap() []error { return u.Causes }

// Code returns the code of a Problem anywhere in the error, or "".
func Code(err error) string {
	var p *Problem
	if errors.As(err, &p) {
		return p.Code
	}
	return ""
}

// problemIn returns the problem in a response, also if a proxy and not a manager wrote it.
func problemIn(response *http.Response) *Problem {
	text, _ := io.ReadAll(io.LimitReader(response.Body, 1<<20)) // a partial body is good enough
	p := &Problem{}
	if json.Unmarshal(text, &p.Problem) != nil || p.Code == "" {
		p.Problem = api.Problem{
			Status: response.StatusCode, Code: "unexpected", Detail: "the answer was " + response.Status,
			Help: "Check that the address is that of an Aliquot manager.",
		}
	}
	return p
}

// passing reports whether the same request may succeed in a moment, here or elsewhere.
func (p *Problem) passing() bool {
	switch p.Code {
	case "no_leader", "stale_epoch", "outcome_unknown", "rate_limited":
		return true
	}
	return false
}

// pause returns the time to wait after the given number of attempts.
func pause(attempts int) time.Duration {
	return min(2*time.Second, 50*time.Millisecond<<min(attempts, 6))
}
