// Package catalog finds policies by their published names. It decides nothing itself.
//
// A name is a row of the map below, followed by parameters that hold an equals sign, with
// slashes between: "GreedyPM */per/opt=min/minvt=600". The period of the tick is a
// parameter beside the name. Every policy's String is its canonical name.
//
// Reference: INRIA RR-7659, section 4.5, for the naming scheme.
package catalog
