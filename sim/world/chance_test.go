package world

import (
	"fmt"
	"hash/fnv"
	"time"
)

// chance draws numbers by name. A number depends on the seed, the name and the turn alone, so the order in which
// goroutines draw changes nothing.
type chance struct {
	seed uint64
	turn func(name string) int64
}

// drawing returns chance for one goroutine: each draw of a name is its next turn.
func drawing(seed uint64) *chance {
	drawn := map[string]int64{}
	return &chance{seed, func(name string) int64 { drawn[name]++; return drawn[name] }}
}

// running returns chance for many goroutines: the turn is the virtual time. Draws of one name at one instant are equal.
func running(seed uint64) *chance {
	began := time.Now()
	return &chance{seed, func(string) int64 { return int64(time.Since(began)) }}
}

func (c *chance) number(name string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s %d", c.seed, name, c.turn(name))
	x := h.Sum64() // splitmix64 spreads the hash over all bits
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// below draws a number from 0 to n-1.
func (c *chance) below(name string, n int) int { return int(c.number(name) % uint64(n)) }

// percent reports true in so many of a hundred draws.
func (c *chance) percent(name string, p int) bool { return c.below(name, 100) < p }

// between draws a duration, to the nanosecond.
func (c *chance) between(name string, least, most time.Duration) time.Duration {
	return least + time.Duration(c.number(name)%uint64(most-least+1))
}

func pick[T any](c *chance, name string, of ...T) T { return of[c.below(name, len(of))] }
