// Package study is the roof over the rooms of packing that no scheduling decision uses. They answer how good a packing
// can be and how good ours is; `aliquot pack`, `aliquot bench` and tests call them.
//
//   - portfolio packs with many published heuristics and local search.
//   - bound computes a yield that no mapping of the same tasks can exceed. The live system calls it for one number, the
//     ceiling that `aliquot plan` shows (package policy/ceiling). No decision depends on that number.
//   - churn measures how many tasks different ways of packing anew would move.
//   - instance draws problems by seed, and benchmark measures speed and quality on them.
//   - document reads the files of `aliquot pack`, and solution solves and draws them.
//
// The package itself holds no code. Decisions use packing, packing/assign and packing/stable.
//
// Invariant: no package that takes part in decisions imports a package below this path (internal/arch). policy/ceiling
// imports one and decides nothing.
package study
