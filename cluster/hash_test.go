package cluster

import (
	"crypto/sha256"
	"fmt"
	"testing"
)

// walked returns the bytes that a walk writes.
func walked[T any](v *T, hash func(*walker, *T)) []byte {
	w := &walker{h: sha256.New()}
	hash(w, v)
	return w.buf
}

// A field that a later program adds is zero in what an earlier one wrote, and absent in what the earlier one hashes.
func TestAFieldThatIsZeroDoesNotChangeTheHash(t *testing.T) {
	for name, got := range map[string][]byte{
		"job":     walked(&Job{}, hashJob),
		"spec":    walked(&Spec{}, hashSpec),
		"node":    walked(&Node{}, hashNode),
		"holding": walked(&Holding{}, hashHolding),
		"move":    walked(&Move{}, hashMove),
		"image":   walked(&Image{}, hashImage),
		"token":   walked(&Token{}, hashToken),
		"request": walked(&request{}, hashRequest),
		"refused": walked(&refused{}, hashRefused),
	} {
		if len(got) > 0 {
			t.Errorf("an empty %s is hashed as %x", name, got)
		}
	}
}

// Numbers and values of fields are what every program that knows the Format must hash.
func TestAHashIsMadeOfTheNumbersAndValuesOfFields(t *testing.T) {
	s := &Spec{
		Name: "a", Tasks: 2, Requirement: Requirement{3}, Command: []string{"b", ""}, Env: []Pair{{"c", "d"}, {"e", ""}},
		Placement: Constraint{Spread: true},
	}
	want := "01" + "0161" + // name, after its length
		"04" + "04" + // 2 tasks
		"06" + "0106" + "00" + // requirement: memory
		"08" + "02" + "0162" + "00" + // command: two texts
		"0a" + "02" + "01016302016400" + "01016500" + // env: two pairs
		"0f" + "0302" + "00" // placement: spread
	if got := fmt.Sprintf("%x", walked(s, hashSpec)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// absent and empty differ where State tells them apart.
func TestWhatIsThereButZeroIsHashed(t *testing.T) {
	if got := fmt.Sprintf("%x", walked(&Task{Exit: &Exit{}}, hashTask)); got != "0a00" {
		t.Errorf("an empty exit is hashed as %s", got)
	}
}
