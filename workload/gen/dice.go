package gen

import "math/rand/v2"

// source is the origin of all draws.
type source = rand.Source

// Dice are the random numbers of one stream of a seed. Streams with different numbers are independent.
type Dice struct{ seed, number uint64 }

// NewDice returns the dice of the stream of this number.
func NewDice(seed uint64, number int) Dice { return Dice{seed, uint64(number)} }

// Each of these parts of a model draws from dice of its own, so that one part does not disturb
// another.
const (
	forShape     = 0 // one per kind from here on, up to forMemory
	forMemory    = 1 << 8
	forEstimates = forMemory + 1
	forTiers     = forMemory + 2
	forReserve   = forMemory + 3
	forHaste     = forMemory + 4
)

func (d Dice) rand(purpose uint64) *rand.Rand {
	return rand.New(rand.NewPCG(d.seed, d.number<<16|purpose))
}
