// Package cycles compares two boards of one puzzle by their σ-cycles: the cycles
// of the permutation that carries the pieces of board A to their cells in board
// B. It also scores what lies between the two boards.
//
// # What is compared
//
// Before pieces are compared, B is turned as a whole, and its colours are
// renamed when its puzzle has other names for them, so that the fewest pieces
// move. Then a piece that both boards hold is fixed (same cell, same look), turned
// in place, or moved. A turn that leaves the look of a symmetric piece as it was
// is no turn. Which of several pieces of a look lies where is not to be seen on a
// board, so a cell that holds the same piece up to rotation on both boards keeps
// it, and the others of the look are matched in ascending order of their cells.
// No other matching moves fewer pieces: of n that both boards hold, n less those
// on common cells must move.
//
// # Cycles, chains, parts
//
// On two full boards the moved pieces form cycles. Where a board has empty cells
// there are chains too: a piece moves to a cell that is empty on A, or whose
// piece is not on B, and so on back to a cell that is empty on B or whose piece is
// not on A. A chain of one cell is a cell whose piece comes or goes. The parts of
// a comparison are its cycles, its chains, and all cells turned in place
// together; A with all parts applied is B.
//
// # Prefixes
//
// A cycle of n cells is n moves: the piece on each cell goes to the next one. A
// prefix starts at any of its cells, s, and applies k moves in the order of the
// cycle, so that the k cells after s hold what they hold on B. The piece that
// the last move displaced has not moved yet, and its cell is taken; cell s is
// open. A [Filling] says what lies there:
//
//   - Exchanged: the displaced piece. Each move is then an exchange of two
//     pieces, and each prefix a full board that can be built. The piece is turned
//     as it matches most seams, among the turns that keep the frame rule, which is
//     the most favourable to the prefix. After n-1 moves the last piece is on its
//     cell too and the cycle is complete, so the proper prefixes have 1 to n-2.
//   - Copied: the piece of A, as if the cells had been copied from B. That piece
//     then lies on two cells and the displaced one on none, so that no such board
//     can be built; but it is what a comparison of two texts sees. 1 to n-1 moves.
//   - Vacant: nothing; the displaced piece is in the hand. 1 to n-1 moves.
//
// A cycle of n cells so has n(n-2) proper prefixes, or n(n-1), over all starts,
// and n-2 or n-1 from one start.
//
// # Boundary
//
// The boundary of a partial board is the number of seams between a cell that
// holds what it holds on B and a cell that has yet to change. Seams to cells that
// are the same on both boards do not count: they are seams of A or of B, while
// those of the boundary are seams of neither. The open cell of a prefix has yet
// to change.
package cycles
