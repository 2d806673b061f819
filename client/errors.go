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

// Problem is what a manager refused, with its code and what to do.
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

// selfContained tells whether a detail is a sentence that says by itself what is wrong.
func selfContained(detail, field string) bool {
	words := strings.FieldsFunc(detail, func(r rune) bool { return !unicode.IsLetter(r) })
	switch {
	case len(words) == 0, words[0] == "is", words[0] == "must":
		return false
	}
	return words[0] == "there" || slices.Contains(words, field)
}

// Unreachable says that no manager could be asked.
type Unreachable struct{ Causes []error }

func (u *Unreachable) Error() string {
	return "no manager could be reached: " + errors.Join(u.Causes...).Error()
}

// Unwrap returns what went wrong with each manager.
func (u *Unreachable) Unwrap() []error { return u.Causes }

// Code is the code of a Problem anywhere in the error, or "".
func Code(err error) string {
	var p *Problem
	if errors.As(err, &p) {
		return p.Code
	}
	return ""
}

// problemIn reads the problem of an answer that is none of ours, too.
func problemIn(response *http.Response) *Problem {
	text, _ := io.ReadAll(io.LimitReader(response.Body, 1<<20)) // what could be read will do
	p := &Problem{}
	if json.Unmarshal(text, &p.Problem) != nil || p.Code == "" {
		p.Problem = api.Problem{
			Status: response.StatusCode, Code: "unexpected", Detail: "the answer was " + response.Status,
			Help: "Check that the address is that of an Aliquot manager.",
		}
	}
	return p
}

// passing tells whether the same request may succeed in a moment, here or elsewhere.
func (p *Problem) passing() bool {
	switch p.Code {
	case "no_leader", "stale_epoch", "outcome_unknown", "rate_limited":
		return true
	}
	return false
}

// pause is how long to wait before the attempt after the given number of them.
func pause(attempts int) time.Duration {
	return min(2*time.Second, 50*time.Millisecond<<min(attempts, 6))
}
