// Package chart draws the few kinds of figures that reports of simulations need, as SVG for a page or
// a file of its own.
//
// It knows numbers and names, not their meaning. Colour-blind people can tell the colours apart (Okabe
// and Ito's set, without yellow); lines also differ in dashes and marks. The figure follows the
// reader's light or dark theme. It uses no scripts, no fonts and nothing from outside.
//
// Invariants: the same data give the same bytes; every name is escaped; values that an axis cannot
// show (not finite, or not above zero on a logarithmic axis) are left out and never affect the axis.
//
// Reference: M. Okabe, K. Ito, "Color Universal Design" (2008), for the colours.
package chart
