// Package virus holds the rules of the game of virus and of Ataxx, the larger
// game of its family: positions as bitboards, moves, their notation, an exact
// solver, and what an evaluation counts.
//
// Two sides, x and o, place stones on a grid of squares; x begins. A clone puts
// a stone on an empty square beside one of one's own, in any of the eight
// directions, and turns every enemy stone beside the new one. Ataxx also knows
// the jump, which takes a stone two squares away instead of adding one. A side
// that cannot move passes, and the pass is a ply like any other. When neither
// side can move the game is over and most stones win.
package virus
