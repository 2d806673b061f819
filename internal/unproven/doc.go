// Package unproven limits connections whose peers have not shown a certificate yet. Whoever can reach a port can open
// connections to it; without a limit on those, strangers use up the memory and the places of members.
package unproven
