// Package chart draws the few kinds of figures that reports of simulations need, as SVG to be put into a page or a
// file of its own.
//
// It knows numbers and names, not what they mean. Colours are told apart by people who are colour-blind (Okabe and
// Ito's set, without yellow), lines also by their dashes and marks, and all of it follows the reader's light or
// dark theme. No scripts, no fonts, nothing from elsewhere.
//
// Invariants: the same data give the same bytes; every name is escaped; values that an axis cannot show (on a
// logarithmic one what is not above zero, anywhere what is not finite) are left out and never bend the axis.
//
// Reference: M. Okabe, K. Ito, "Color Universal Design" (2008), for the colours.
package chart
