package notation

import (
	"strings"

	"lastmile/puzzle"
)

// sides is the order in which a list names the sides of a piece: column i
// holds the colour of side sides[i].
type sides [4]int

const (
	up    = puzzle.Up
	right = puzzle.Right
	down  = puzzle.Down
	left  = puzzle.Left
)

// sideOrders are the orders that give different pieces; the others are these
// turned. The clockwise one is the rule, the second well known.
var sideOrders = []sides{
	{up, right, down, left},
	{up, down, left, right},
	{up, down, right, left},
	{up, left, down, right},
	{up, right, left, down},
	{up, left, right, down},
}

func (s sides) edges(row [4]uint8) (e puzzle.Edges) {
	for i, side := range s {
		e[side] = row[i]
	}
	return e
}

var sideWords = [4]string{"top", "right", "bottom", "left"}

func (s sides) String() string {
	words := make([]string, 4)
	for i, side := range s {
		words[i] = sideWords[side]
	}
	return strings.Join(words, " ")
}

// sidesNamed finds four words for the sides, each once, one after the other.
func sidesNamed(text string) (sides, bool) {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' })
	for i := 0; i+4 <= len(words); i++ {
		var s sides
		seen := 0
		for k := range s {
			side := sideOf(words[i+k])
			if side < 0 {
				break
			}
			s[k] = side
			seen |= 1 << side
		}
		if seen == 15 {
			return s, true
		}
	}
	return sides{}, false
}

func sideOf(word string) int {
	switch word {
	case "top", "up", "north", "t", "u", "n":
		return up
	case "right", "east", "r", "e":
		return right
	case "bottom", "down", "south", "b", "d", "s":
		return down
	case "left", "west", "l", "w":
		return left
	}
	return -1
}
