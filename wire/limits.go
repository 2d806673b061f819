package wire

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"aliquot/cluster"
)

// Limits on the messages of a node. A node may be faulty or compromised, and its messages reach every manager's memory
// and disk. Numbers are cut so that sums over all nodes stay within 63 bits. Texts are cut too, because a hypervisor
// may make them long.
const (
	maxObservations = 4096 // of one report
	maxSamples      = 4096
	maxPlatforms    = 32
	maxLabels       = cluster.MaxNodeLabels
	maxLabel        = 256 // bytes of a key, and of a value
	maxURI          = 512
	maxText         = 1024 // bytes of a text for people
	maxWord         = 128  // bytes of a name

	maxCPU                  = cluster.MaxNodeCPU
	maxMemory               = cluster.MaxNodeMemory
	maxStore  cluster.Bytes = 1 << 60
	maxMicros cluster.Time  = 1 << 60
)

// words returns a text that is safe to show: without control characters, which move a terminal's cursor, and with at
// most the given number of bytes.
func words(s string, most int) string {
	if len(s) > most {
		for most > 0 && !utf8.RuneStart(s[most]) {
			most--
		}
		s = s[:most]
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}

// counted returns an error if there are more than the given number.
func counted(n, most int, what string) error {
	if n > most {
		return fmt.Errorf("%d %s; at most %d are allowed", n, what, most)
	}
	return nil
}

// within limits a number to the range from 0 to most.
func within[N ~int64](n, most N) N { return max(0, min(n, most)) }
