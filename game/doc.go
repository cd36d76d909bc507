// Package game searches game trees, and lets its caller say where the search is
// to invest: alpha-beta with iterative deepening, principal variations, a
// transposition table and ordered moves is the plain way; null moves (plain, with
// a verification search, or verified) cut branches short, selective deepening and
// uniformity search some of them deeper than others. Each is a switch in Settings,
// and the count of what each did is in the Result.
//
// The package knows no game. What it asks of one is the interface Board; package
// virus has one.
package game
