package solve

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"lastmile/puzzle"
	"lastmile/search"
)

// drawn is a list of placements by ascending cell that differs from another one
// in at most so many cells.
func drawn(r *rand.Rand, from []puzzle.Placement, cells int) []puzzle.Placement {
	list := slices.Clone(from)
	for range cells {
		list[r.IntN(len(list))].Piece = r.IntN(1000)
	}
	return list
}

// The archive is what comes of entering boards one by one in a plain list.
func TestArchiveAgainstAPlainList(t *testing.T) {
	base := make([]puzzle.Placement, 40)
	for i := range base {
		base[i].Cell = i
	}
	r := rand.New(rand.NewPCG(1, 2))
	full, refused, replaced := 0, 0, 0
	for range 20 {
		var a archive
		var plain []Kept
		families := [][]puzzle.Placement{base}
		for range 1 + r.IntN(60) {
			families = append(families, drawn(r, base, 40))
		}
		best, spread := -1, 1+r.IntN(40)
		for n := range 200 {
			k := Kept{Score: r.IntN(spread), Attempt: n, Placements: drawn(r, families[r.IntN(len(families))], r.IntN(20))}
			best = max(best, k.Score)
			before := len(a)
			a.add(k)

			near := func(x Kept) bool { return Distance(x.Placements, k.Placements) < apart }
			stays := true
			for _, x := range plain {
				stays = stays && !(near(x) && x.Score >= k.Score)
			}
			if stays {
				var next []Kept
				for _, x := range plain {
					if !near(x) {
						next = append(next, x)
					}
				}
				next = append(next, k)
				slices.SortStableFunc(next, func(x, y Kept) int { return cmp.Compare(y.Score, x.Score) })
				plain = next[:min(len(next), archived)]
			} else {
				refused++
			}
			if len(a) < before {
				replaced++
			}
			if !reflect.DeepEqual([]Kept(a), plain) {
				t.Fatalf("board %d of score %d: %d boards, want %d", n, k.Score, len(a), len(plain))
			}
			if a[0].Score != best || len(a) > archived {
				t.Fatalf("%d boards, the best of %d, want at most %d and %d", len(a), a[0].Score, archived, best)
			}
			for i, x := range a {
				for _, y := range a[:i] {
					if x.Score > y.Score || Distance(x.Placements, y.Placements) < apart {
						t.Fatalf("a board of %d after one of %d, %d cells apart", x.Score, y.Score, Distance(x.Placements, y.Placements))
					}
				}
			}
		}
		if len(a) == archived {
			full++
		}
	}
	if full == 0 || refused == 0 || replaced == 0 {
		t.Errorf("%d archives full, %d boards refused, %d archives shrank: it shows nothing", full, refused, replaced)
	}
}

// A board has its turn when those above it have had three walks more for each
// seam that they are better by.
func TestTurnsOfTheArchive(t *testing.T) {
	if k := (archive)(nil).next(); k != nil {
		t.Errorf("%v is next of no boards", k)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		a := archive{{Score: 400}}
		for range r.IntN(archived) {
			a = append(a, Kept{Score: a[len(a)-1].Score - r.IntN(3), Walks: r.IntN(2)})
		}
		turn := func(k Kept) int { return k.Walks + 3*(400-k.Score) }
		begun := make([]int, len(a))
		for range 300 {
			k := a.next()
			for i := range a {
				if &a[i] == k {
					begun[i]++
				} else if turn(a[i]) < turn(*k) {
					t.Fatalf("a board of %d with %d walks has its turn before one of %d with %d", k.Score, k.Walks, a[i].Score, a[i].Walks)
				}
			}
			k.Walks++
		}
		for i := range a {
			if i > 0 && begun[i] > begun[0]+1 || begun[i] > 0 && turn(a[0])-turn(a[i]) > 1 {
				t.Fatalf("%d walks from a board of %d, %d from the best", begun[i], a[i].Score, begun[0])
			}
		}
	}
}

// A walk from the archive begins with the board whose turn it was, though its
// attempt have others there; when that is gone, with the best.
func TestFrom(t *testing.T) {
	a := archive{{Score: 460, Attempt: 7}, {Score: 459, Attempt: 3}, {Score: 458, Attempt: 7}, {Score: 458, Attempt: 9}}
	for i := range a {
		if got := a.from(a[i].Attempt, a[i].Score); !reflect.DeepEqual(got, a[i]) {
			t.Errorf("board %d: got %+v, want %+v", i, got, a[i])
		}
	}
	for _, gone := range [][2]int{{7, 459}, {4, 460}} {
		if got := a.from(gone[0], gone[1]); !reflect.DeepEqual(got, a[0]) {
			t.Errorf("a board of %d by attempt %d: got %+v, want the best", gone[1], gone[0], got)
		}
	}
}

// Distance is how many cells an exchange touches, and a metric.
func TestDistance(t *testing.T) {
	p := generated(t, puzzle.Spec{Width: 6, Height: 5, Colours: 7, Seed: 3})
	r := rand.New(rand.NewPCG(5, 6))
	board := func() []puzzle.Placement {
		list := make([]puzzle.Placement, p.Cells())
		for cell, piece := range r.Perm(p.Cells()) {
			list[cell] = puzzle.Placement{Cell: cell, Piece: piece, Rotation: r.IntN(4)}
		}
		return list
	}
	for range 100 {
		a, b, c := board(), board(), board()
		if Distance(a, a) != 0 || Distance(a, b) != Distance(b, a) || Distance(a, c) > Distance(a, b)+Distance(b, c) {
			t.Fatalf("no metric on %v, %v, %v", a, b, c)
		}
		d := slices.Clone(a)
		i, j := r.IntN(len(d)), r.IntN(len(d))
		d[i].Piece, d[j].Piece = d[j].Piece, d[i].Piece
		want := 2
		if i == j {
			want = 0
		}
		if got := Distance(a, d); got != want {
			t.Fatalf("a swap of cells %d and %d touches %d cells", i, j, got)
		}
		d[i].Rotation = (d[i].Rotation + 1) % 4
		if got := Distance(a, d); got != max(want, 1) {
			t.Fatalf("after a turn too: %d cells", got)
		}
		want4 := [4]int{a[0].Piece, a[5].Piece, a[29].Piece, a[24].Piece}
		if got := Corners(p, a); got != want4 {
			t.Fatalf("corners %v, want %v", got, want4)
		}
	}
	line := []puzzle.Placement{{Cell: 0, Piece: 2}, {Cell: 1, Piece: 0}, {Cell: 2, Piece: 1}}
	if got := Corners(generated(t, puzzle.Spec{Width: 3, Height: 1, Colours: 2}), line); got != [4]int{2, 1, 1, 2} {
		t.Errorf("corners of a line: %v", got)
	}
}

// saved is a run that walks on from its archive, as it was last saved.
func saved(t *testing.T, p *puzzle.Puzzle) State {
	t.Helper()
	c := &crew{puzzle: p, perfect: math.MaxInt}
	solution := func(swaps ...int) []puzzle.Placement {
		_, board, err := puzzle.Generate(puzzle.Spec{Width: p.Width, Height: p.Height, Colours: 9, Seed: 4})
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range swaps { // with its right neighbour
			a, b := &board[i], &board[i+1]
			a.Piece, a.Rotation, b.Piece, b.Rotation = b.Piece, b.Rotation, a.Piece, a.Rotation
		}
		return board
	}
	for n, board := range [][]puzzle.Placement{
		solution(9), solution(9, 11, 13, 17, 19, 25, 27), solution(33, 35, 37, 41, 43, 45, 17, 19),
	} {
		c.archive.add(Kept{Score: p.Look(board).Tally().Matched, Attempt: n, Walks: n, Placements: board})
	}
	if len(c.archive) != 3 {
		t.Fatalf("%d boards in the archive, want 3", len(c.archive))
	}
	from := c.archive[1]
	return State{
		Begun: 4, Builds: 3, Archive: c.archive, Elapsed: time.Second, Nodes: 5, Iterations: 6,
		Attempts: []Attempt{{Number: 3, Method: Again, From: from.Attempt, Built: from.Score}},
		Pays:     pays{Build: payoff{1, time.Second}, Again: payoff{2, time.Minute}},
	}
}

// What no run would have saved is refused, thing by thing.
func TestDamagedArchivesAreRefused(t *testing.T) {
	p := generated(t, puzzle.Spec{Width: 8, Height: 7, Colours: 9, Seed: 4}, 30)
	sound := func() State {
		s := saved(t, p)
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var back State
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(s, back) {
			t.Fatalf("%+v came back as %+v", s, back)
		}
		return back
	}
	plan := Plan{Budget: search.Budget{Time: time.Second + 1}} // it is up
	s := sound()
	best := s.Archive[0]
	r, err := Resume(context.Background(), p, s, Options{}, plan)
	if err != nil {
		t.Fatal(err)
	}
	valid(t, p, r)
	if r.Score != best.Score || r.Attempt != best.Attempt || len(r.Archive) != 3 {
		t.Errorf("a board of %d by attempt %d, an archive of %d; saved was one of %d by attempt %d in one of 3",
			r.Score, r.Attempt, len(r.Archive), best.Score, best.Attempt)
	}
	for name, damage := range map[string]func(s *State){
		"a board short":        func(s *State) { s.Archive[1].Placements = s.Archive[1].Placements[1:] },
		"no board":             func(s *State) { s.Archive[2].Placements = nil },
		"a piece twice":        func(s *State) { s.Archive[0].Placements[3].Piece = s.Archive[0].Placements[4].Piece },
		"a piece of no puzzle": func(s *State) { s.Archive[0].Placements[3].Piece = 56 },
		"a piece below 0":      func(s *State) { s.Archive[0].Placements[3].Piece = -1 },
		"a cell twice":         func(s *State) { s.Archive[0].Placements[3].Cell = 4 },
		"a cell of no board":   func(s *State) { s.Archive[0].Placements[55].Cell = 56 },
		"a turn too far":       func(s *State) { s.Archive[1].Placements[9].Rotation = 4 },
		"cells out of order": func(s *State) {
			list := s.Archive[1].Placements
			list[5], list[6] = list[6], list[5]
		},
		"a corner in the middle": func(s *State) {
			list := s.Archive[2].Placements
			list[0].Piece, list[14].Piece = list[14].Piece, list[0].Piece
			s.Archive[2].Score = p.Look(list).Tally().Matched
		},
		"a clue elsewhere": func(s *State) {
			list := s.Archive[2].Placements
			list[30].Piece, list[31].Piece = list[31].Piece, list[30].Piece
			s.Archive[2].Score = p.Look(list).Tally().Matched
		},
		"another score":         func(s *State) { s.Archive[0].Score++ },
		"scores that rise":      func(s *State) { s.Archive[0], s.Archive[1] = s.Archive[1], s.Archive[0] },
		"the same board twice":  func(s *State) { s.Archive[1] = s.Archive[0] },
		"walks below 0":         func(s *State) { s.Archive[1].Walks = -1 },
		"an attempt to come":    func(s *State) { s.Archive[1].Attempt = 4 },
		"an attempt below 0":    func(s *State) { s.Archive[1].Attempt = -1 },
		"no archive to walk on": func(s *State) { s.Archive = nil },
		"too many boards": func(s *State) {
			for range archived {
				s.Archive = append(s.Archive, s.Archive[2])
			}
		},
		"wins below 0":      func(s *State) { s.Pays.Again.Wins = -1 },
		"no number of wins": func(s *State) { s.Pays.Build.Wins = math.NaN() },
		"time below 0":      func(s *State) { s.Pays.Build.Time = -1 },
		"builds to come":    func(s *State) { s.Builds = 5 },
		"builds below 0":    func(s *State) { s.Builds = -1 },
		"another method":    func(s *State) { s.Attempts[0].Method = Again + 1 },
		"a method below 0":  func(s *State) { s.Attempts[0].Method = -1 },
		"a number to come":  func(s *State) { s.Attempts[0].Number = 4 },
		"an order of none":  func(s *State) { s.Attempts[0].Method, s.Attempts[0].Order = DepthFirst, "sideways" },
		"a width below 0":   func(s *State) { s.Attempts[0].Width = -1 },
		"a beam of none":    func(s *State) { s.Attempts[0].Method, s.Attempts[0].Order = Beamed, "comb" },
		"nodes below 0":     func(s *State) { s.Nodes = -1 },
	} {
		s := sound()
		damage(&s)
		if _, err := Resume(context.Background(), p, s, Options{}, plan); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

// A board that is saved in the archive alone is not lost: its beam was cut short
// by the end of a sitting.
func TestArchiveOutlivesItsAttempts(t *testing.T) {
	p := generated(t, puzzle.Spec{Width: 8, Height: 7, Colours: 9, Seed: 4}, 30)
	s := saved(t, p)
	s.Attempts = nil
	told := 0
	r, err := Resume(context.Background(), p, s, Options{}, Plan{
		Budget: search.Budget{Time: time.Second + 1}, // it is up
		Watch: search.Func(func(e search.Event) {
			if told == 0 && e.Kind == search.Improved {
				told = e.Score
			}
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	valid(t, p, r)
	if best := s.Archive[0]; r.Score != best.Score || r.Attempt != best.Attempt || told != best.Score {
		t.Errorf("a board of %d by attempt %d, first told of %d; saved was one of %d by attempt %d", r.Score, r.Attempt, told, best.Score, best.Attempt)
	}
	// And one that solves the puzzle ends the run.
	_, solution, err := puzzle.Generate(puzzle.Spec{Width: 8, Height: 7, Colours: 9, Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	s.Archive = archive{{Score: p.MaxScore(), Attempt: 2, Placements: solution}}
	if r, err = Resume(context.Background(), p, s, Options{}, Plan{Budget: search.Budget{Time: time.Hour}}); err != nil {
		t.Fatal(err)
	}
	if r.Score != p.MaxScore() || r.Attempt != 2 || r.Iterations != s.Iterations {
		t.Errorf("a board of %d of %d by attempt %d after %d iterations more", r.Score, p.MaxScore(), r.Attempt, r.Iterations-s.Iterations)
	}
}
