package cycles

import (
	"cmp"

	"lastmile/puzzle"
)

// A matching names the pieces of B after those of A.
type matching struct {
	to            []puzzle.Placement
	moved, turned int
	turns         int
	recoloured    bool
}

// compare prefers few moved pieces, then few turned ones; between equals the
// first that was tried stays.
func (m *matching) compare(other *matching) int {
	return cmp.Or(cmp.Compare(m.moved, other.moved), cmp.Compare(m.turned, other.turned))
}

// match matches the pieces of each class that both boards hold: those on common
// cells with each other, the rest in ascending order of their cells. The lists
// may be in any order, and of B only the looks matter: it may name one piece of a
// class again and again.
func match(p *puzzle.Puzzle, from, to []puzzle.Placement) *matching {
	n := p.Cells()
	m := &matching{to: make([]puzzle.Placement, 0, len(to))}
	onA := make([]puzzle.Placement, n) // by cell
	lookB := make([]puzzle.Edges, n)
	classA, classB := table(n), table(n)
	for _, q := range from {
		onA[q.Cell], classA[q.Cell] = q, p.Class(q.Piece)
	}
	for _, q := range to {
		classB[q.Cell], lookB[q.Cell] = p.Class(q.Piece), p.Rotated(q.Piece, q.Rotation)
	}
	// By class: the pieces of A that wait for a cell of B, and those not on A, which
	// name what B alone holds.
	waiting, box := make([][]int, n), make([][]int, n)
	held := make([]bool, n)
	for cell, class := range classA {
		if class >= 0 {
			held[onA[cell].Piece] = true
			if classB[cell] != class {
				waiting[class] = append(waiting[class], onA[cell].Piece)
			}
		}
	}
	for piece := range n {
		if !held[piece] {
			box[p.Class(piece)] = append(box[p.Class(piece)], piece)
		}
	}
	for cell, class := range classB {
		if class < 0 {
			continue
		}
		var piece int
		switch {
		case classA[cell] == class:
			piece = onA[cell].Piece
			if p.Rotated(piece, onA[cell].Rotation) != lookB[cell] {
				m.turned++
			}
		case len(waiting[class]) > 0:
			piece, waiting[class] = waiting[class][0], waiting[class][1:]
			m.moved++
		default:
			piece, box[class] = box[class][0], box[class][1:]
		}
		m.to = append(m.to, puzzle.Placement{Cell: cell, Piece: piece, Rotation: rotationOf(p, piece, lookB[cell])})
	}
	return m
}

// rotationOf is the least rotation in which the piece has the look, which is one
// of its.
func rotationOf(p *puzzle.Puzzle, piece int, look puzzle.Edges) int {
	r := 0
	for p.Rotated(piece, r) != look {
		r++
	}
	return r
}
