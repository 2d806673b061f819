package freeport

import (
	"net"
	"strconv"
	"testing"
)

func TestFreeAddressesAreDifferentAndCanBeListenedOn(t *testing.T) {
	seen := map[string]bool{}
	for range 200 {
		at := Take()
		l, err := net.Listen("tcp", at)
		if err != nil || seen[at] {
			t.Fatalf("%s, given before: %v, %v", at, seen[at], err)
		}
		l.Close()
		seen[at] = true
	}
}

func TestAPortThatIsInUseIsNotGivenOut(t *testing.T) {
	l, err := net.Listen("tcp", Take())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, text, _ := net.SplitHostPort(l.Addr().String())
	port, err := strconv.Atoi(text)
	if err != nil || reserve(port-1, 3) {
		t.Errorf("the row around port %q was given out, %v", text, err)
	}
}
