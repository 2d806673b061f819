package wire

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"aliquot/cluster"
)

// Limits on what a node says. A node may be broken or in wrong hands: whatever it says reaches every manager's memory
// and disk. Numbers are cut to them so that sums over all nodes stay within 63 bits; texts, which a hypervisor may make
// long, are cut too.
const (
	maxObservations = 4096 // of one report
	maxSamples      = 4096
	maxPlatforms    = 32
	maxLabels       = 64
	maxLabel        = 256 // bytes of a key, and of a value
	maxURI          = 512
	maxText         = 1024 // bytes of what people read
	maxWord         = 128  // bytes of a name

	maxCPU                  = cluster.MaxNodeCPU
	maxMemory               = cluster.MaxNodeMemory
	maxStore  cluster.Bytes = 1 << 60
	maxMicros cluster.Time  = 1 << 60
)

// words returns a text as people may be shown it: without control characters, which move a terminal's cursor, and at
// most so many bytes of it.
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

// counted fails if there are more than so many.
func counted(n, most int, what string) error {
	if n > most {
		return fmt.Errorf("%d %s; the most are %d", n, what, most)
	}
	return nil
}

// within cuts a number from 0 to the most.
func within[N ~int64](n, most N) N { return max(0, min(n, most)) }
