// Package solver decides formulas, behind the interface certify.Solver.
//
// Two solvers are here, because one runs anywhere and the other is fast:
//
//   - gophersat (MIT) is a Go module and runs in this process.
//   - cadical (MIT) is a program that the user installs. It is several times
//     faster, and deletes what its proof no longer needs.
//
// Nothing that either says is believed: the caller puts a model on the board and
// has a proof checked. What is done here about solvers that fail is that they
// end, with an error that tells what they said.
//
// A solver leaves no goroutine, process or file behind. So Solve, when it is to
// stop, waits for the Write to the proof that it is in: who reads the other end
// of a pipe drains it or closes it.
package solver
