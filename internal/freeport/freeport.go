// Package freeport gives tests addresses on which their servers can listen.
package freeport

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
)

// Ports that are given out. The system takes those of outgoing connections from 32768 on unless it is set up otherwise,
// so none of them is in use by a connection when a server comes to listen.
const (
	firstPort = 10_000
	lastPort  = 32_000
)

var given = struct {
	sync.Mutex
	ports map[int]bool
}{ports: map[int]bool{}}

// Take returns an address, such as 127.0.0.1:20417, on which nobody listens. A process gets none twice.
func Take() string { return TakeRow(1) }

// TakeRow returns an address on which nobody listens, nor on the ports that follow, so many of them altogether.
func TakeRow(ports int) string {
	given.Lock()
	defer given.Unlock()
	for range 1000 {
		if first := firstPort + rand.IntN(lastPort-firstPort); reserve(first, ports) {
			return address(first)
		}
	}
	panic(fmt.Sprintf("freeport: no row of %d free ports was found", ports))
}

// reserve gives out the ports if all of them are free.
func reserve(first, ports int) bool {
	for p := first; p < first+ports; p++ {
		if given.ports[p] || !free(p) {
			return false
		}
	}
	for p := first; p < first+ports; p++ {
		given.ports[p] = true
	}
	return true
}

// free reports whether a server can listen on the port.
func free(port int) bool {
	l, err := net.Listen("tcp", address(port))
	if err != nil {
		return false
	}
	return l.Close() == nil
}

func address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
