package match

// Result is the account of a match, seen by its first player.
type Result struct {
	Games  int `json:"games"`
	Wins   int `json:"wins"`
	Draws  int `json:"draws"`
	Losses int `json:"losses"`
	Pairs  int `json:"pairs"`
	// Pentanomial is how many pairs gave 0, ½, 1, 1½ and 2 points.
	Pentanomial [5]int `json:"pentanomial"`
	// Different is how many pairs had an opening that none before had.
	Different int `json:"openings"`

	Margin float64  `json:"margin"` // mean, in stones
	Plies  float64  `json:"plies"`  // mean of a game, its opening too
	Nodes  [2]int64 `json:"nodes"`  // of the players

	Rating
	SPRT    *Verdict `json:"sprt"`    // nil where none was asked for
	Stopped bool     `json:"stopped"` // by the context, before all was played

	test           *Test
	margins, plies int
}

// add counts a pair.
func (r *Result) add(p *Pair) {
	r.Pairs++
	r.Pentanomial[p.Points()]++
	r.Different = p.different
	for i := range p.Games {
		g := &p.Games[i]
		r.Games++
		switch g.Points() {
		case 2:
			r.Wins++
		case 1:
			r.Draws++
		default:
			r.Losses++
		}
		r.margins += g.Margin
		r.plies += len(p.Opening.Moves) + len(g.Moves)
		r.Nodes[0] += g.Nodes[0]
		r.Nodes[1] += g.Nodes[1]
	}
	r.Margin = float64(r.margins) / float64(r.Games)
	r.Plies = float64(r.plies) / float64(r.Games)
	r.Rating = Rate(r.Pentanomial)
	if r.test != nil {
		v := r.test.Judge(r.Pentanomial)
		r.SPRT = &v
	}
}

// decided tells whether the test is.
func (r *Result) decided() bool { return r.SPRT != nil && r.SPRT.Verdict != Undecided }
