package store

import (
	"slices"
	"sync"

	"aliquot/cluster"
)

// answer is the result of a request applied here.
type answer struct {
	request string
	result  cluster.Result
}

// answers passes results from the applying goroutine to the proposing ones. A request proposed several times keeps its
// first result, because the later ones only say that it was already done.
type answers struct {
	mu      sync.Mutex
	waiting map[string][]*expected
}

type expected struct {
	result cluster.Result
	done   bool
}

func (a *answers) expect(request string) *expected {
	a.mu.Lock()
	defer a.mu.Unlock()
	e := new(expected)
	a.waiting[request] = append(a.waiting[request], e)
	return e
}

func (a *answers) forget(request string, e *expected) {
	a.mu.Lock()
	defer a.mu.Unlock()
	rest := slices.DeleteFunc(a.waiting[request], func(o *expected) bool { return o == e })
	if len(rest) == 0 {
		delete(a.waiting, request)
	} else {
		a.waiting[request] = rest
	}
}

func (a *answers) give(x answer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, e := range a.waiting[x.request] {
		if !e.done {
			e.result, e.done = x.result, true
		}
	}
}

// given reports whether the result is there. It does not change afterwards.
func (a *answers) given(e *expected) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return e.done
}
