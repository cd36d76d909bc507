// Package certify proves where polishing ends. It asks whether the cells of a
// region of a board can be filled anew so that fewer of their seams break, or
// none, and answers with a better board, or with a proof that a third party can
// check again from nothing but the board.
//
// # Questions
//
// A region is a set of cells, such as the halo of the broken seams, and the
// pieces that lie on no other cell. Its seams are those between two of its cells
// and those to cells that stay. A refill puts every free piece on a cell of the
// region. A window is a part of the region; a filling of it takes whichever free
// pieces. The floor of a window is a number of its seams that every filling breaks
// at least: what is proved is a floor.
//
// # The formula
//
// Ask makes a formula that is satisfiable exactly when the cells of a window can
// be filled so that at most k of its seams break:
//
//   - a variable for each free piece on each cell in each rotation that the frame
//     rule allows, except where the piece would break more than k seams to what
//     stays (choose);
//   - one piece a cell, and each piece on one cell (placeOnce), counted by a
//     variable for the piece on the cell in any rotation, with commander variables
//     in a row (atMostOne);
//   - for each side that faces a seam a variable for each colour it may show, tied
//     to the pieces that show it (colours); for k = 0 both sides of a seam share
//     theirs (share), else a literal is true where they differ (join);
//   - for k > 0 the breaks added up, window by window, in a tree that halves the
//     region, and the sum held to k (limit, breaks).
//
// So clauses grow with cells times pieces, not with pairs of pieces.
//
// # Floors of parts
//
// The two halves of a window have no seam in common, so their floors add up to
// one of the window. Decide proves floors from small windows to large ones, and
// the formula of a window says the floors of its parts: sums that cannot be
// smaller. Each proof then has to find only what its parts do not know of each
// other. A certificate is the list of these steps.
//
// # What is believed
//
// No solver is. A model is put on the board and counted there; a proof is checked
// by the package drat, while it is being found and again by Check. What remains
// to be believed is this encoding, which the tests compare with brute force and
// with the ledger's exhaustion, the checker, and the counting of package ledger.
// Before each decision the formula is tested with the filling that is known: it
// must admit the board as it is, and must not with a break less (control).
package certify
