package puzzle

// Colouring tells for each colour of one puzzle that of another.
type Colouring [256]uint8

// Apply renames the colours of a piece.
func (c *Colouring) Apply(e Edges) Edges {
	for i := range e {
		e[i] = c[e[i]]
	}
	return e
}

// Identity tells whether every colour keeps its name.
func (c *Colouring) Identity() bool {
	for from, to := range c {
		if from != int(to) {
			return false
		}
	}
	return true
}

// Complete gives the unused colours what the used ones leave, themselves where
// they can, so that the colouring is one to one.
func (c *Colouring) Complete(used [256]bool) {
	var taken [256]bool
	for from, u := range used {
		if u {
			taken[c[from]] = true
		}
	}
	taken[Grey], used[Grey] = true, true
	for from := range used {
		if !used[from] && !taken[from] {
			c[from], used[from], taken[from] = uint8(from), true, true
		}
	}
	next := 0
	for from := range used {
		if !used[from] {
			for taken[next] {
				next++
			}
			c[from], taken[next] = uint8(next), true
		}
	}
}
