// Package ledger exhausts the completions of a board within a budget of breaks,
// and prunes that search by LEDGER: a count of half-edges, colour by colour,
// that never cuts a completion within the budget.
//
// A Problem names the region, the order in which it is filled and the budget;
// Exhaust counts every completion or finds the best one; Ledger keeps the books
// of a board for whoever wants to look at them.
//
// # Words
//
// The region is the empty cells; the free pieces fill it exactly. A half-edge
// is one side of a piece. A seam of the region is charged when it is broken,
// unless it leads to one of the cells that the problem calls uncharged. At some
// node of the search let r be the breaks that are left, and of colour c let
//
//	S(c)  supply: half-edges of the free pieces
//	D(c)  demand: sides of placed pieces that face an empty cell across a
//	      charged seam
//	u     half-edges to come that no charged seam will hold: those beside
//	      uncharged cells, and on the rim of a puzzle without a frame
//
// Grey is left out. Under the frame rule it lies on the rim and only there; on
// a seam it matches nothing, so leaving it out makes the counts no larger.
//
// # What holds of every completion
//
// Fix a completion with at most r further breaks. Each half-edge of S and D
// ends in a matched seam, in a break, or is one of u. A matched seam takes two
// half-edges of one colour: one of S and one of D, or two of S, never two of D,
// for between two placed pieces there is no empty cell. A break takes two
// half-edges, at most one of them of D. So:
//
// Deficit. D(c) - S(c) demands of colour c, if that is positive, cannot be
// served and end in breaks, each in another one: the sum over c of
// max(0, D(c) - S(c)) is at most r.
//
// Parity. Matched seams take an even number of half-edges of a colour, so an
// odd S(c) + D(c), which is to say an odd S(c) - D(c), leaves at least one of
// colour c to a break or to u: the number of odd colours is at most 2r + u.
// These two are the conditions of the page on LEDGER, whose u counts the
// junctions of clues that its engine does not charge.
//
// Combined. Of colour c at least D(c) - S(c) half-edges lie in breaks, and at
// least one if that is odd or if S(c) - D(c) is; and breaks hold two half-edges:
// the sum over c of max(deficit(c), odd(c)) is at most 2r + u. (In full: the
// half-edges of c that stay without a partner are those that a largest matching
// leaves over, and the largest matching serves every demand it can, then pairs
// up what is left of the supply.)
//
// # Kinds
//
// Under the frame rule a piece shows each of its sides to a place of one kind.
// A rim piece has, clockwise from its grey, a leading, an inward and a trailing
// side; a corner a leading and a trailing one; all sides of the other pieces
// are inner. Seams along the rim join a leading side to a trailing one, all the
// way round; seams between the rim and the rest join inward to inner; all
// others inner to inner. (For this a board must be three cells wide and high.)
// So of each colour there are four supplies and four demands, named for the
// kind of side that can serve them, and of one colour only these can match:
//
//	D(leading) - leading - trailing - D(trailing)
//	D(inward) - inward - inner - D(inner), and inner - inner
//
// Half-edges that a largest matching in these graphs leaves over lie in breaks
// or in u. A demand hangs on a single supply, so some largest matching serves
// demands first; then it joins what is left across the middle; then inner ones
// pair up. With x = inward - D(inward), y = inner - D(inner), p and q likewise
// for leading and trailing, and z+ for max(0, z), what is left over is
//
//	p- + q- + |p+ - q+|                       where z- = max(0, -z)
//	x- + (z- if z < 0, else z mod 2)          where z = y - x+
//
// of each colour, and Kinds asks that the sum of all this be at most 2r + u.
// The graphs of Combined have these edges and more, so this is never less.
//
// Breaks have kinds too, which gives three sums with one half-edge a break:
// unserved demands, at most r in all; unmatched leading ones with unserved
// demands on trailing, of which no seam joins two, plus unmatched inward ones
// with unserved demands on inner ones, of which no seam joins two either, at
// most r + u; and the same with leading and trailing exchanged. Of a colour
// these are at least x- + y- + p- + q-; (p+ - q)+ + (x+ - y)+; and
// (q+ - p)+ + (x+ - y)+: leading half-edges that no demand takes need trailing
// ones, which the demands on trailing want as well.
//
// # Cells
//
// Look at each empty cell by itself: among the free pieces, some turn mismatches
// the placed neighbours the least. Seams of different cells with placed pieces
// are different seams, so these minima add up to at most r. Or look at them
// together, as Hall: in a completion each cell has a piece of its own, and the
// cells whose piece matches all that is placed around them are a matching of
// cells and pieces; every other cell brings a break, so what a largest matching
// leaves over is at most r. Both are for regions with many neighbours that stay;
// there Cells saves time, so it is among the defaults. Hall prunes most and takes
// more time than it saves.
//
// # In the search
//
// Placing a piece moves the state of at most eight colours (Ledger, tally), and
// the sums by two lookups each. A side that matches moves nothing: one of S and
// one of D go together. So a ledger costs what mismatches and new demands
// cost. A search asks it before a candidate becomes a node (Candidate) or after
// (Node); the sieve refuses candidates in words of 64 when the sum of half-edges
// alone forbids them.
package ledger
