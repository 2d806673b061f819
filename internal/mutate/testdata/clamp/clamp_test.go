package clamp

import "testing"

func TestLargeNumbersAreClamped(t *testing.T) {
	if Clamp(12) != 9 || Clamp(5) != 5 {
		t.Fail()
	}
}

func TestNegativeNumbersBecomeZero(t *testing.T) {
	if Clamp(-3) != 0 {
		t.Fail()
	}
}
