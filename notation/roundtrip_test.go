package notation

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"lastmile/puzzle"
	"lastmile/random"
)

// sample is a document with the reasons for which dialects must refuse it.
type sample struct {
	what    string
	d       *Document
	refused map[string]string // by dialect: fragment of the error
}

func samples(t testing.TB) []sample {
	var all []sample
	notPieces := map[string]string{}
	for _, r := range puzzle.Records() {
		b := puzzle.NewBoard(puzzle.Official())
		b.Load(r.Board)
		all = append(all, sample{r.Name, FromBoard(b, r.Name), notPieces})
		for i := 0; i < 256; i += 3 {
			b.Remove(r.Board[i].Cell)
		}
		all = append(all, sample{r.Name + " without a third", FromBoard(b, "a & b = 50% + Ü"), map[string]string{"solution": "no piece"}})
	}
	for i, s := range []puzzle.Spec{
		{Width: 1, Height: 1, Colours: 1, Unframed: true},
		{Width: 2, Height: 2, Colours: 2},
		{Width: 7, Height: 4, Colours: 5},
		{Width: 3, Height: 9, Colours: 4},
		{Width: 6, Height: 6, Colours: 3},
		{Width: 5, Height: 5, Colours: 9, Unframed: true},
		{Width: 16, Height: 16, Colours: 22},
		{Width: 10, Height: 10, Colours: 40},
		{Width: 32, Height: 32, Colours: 25},
		{Width: 20, Height: 20, Colours: puzzle.MaxColours},
	} {
		s.Seed = uint64(i)
		p, solution, err := puzzle.Generate(s)
		if err != nil {
			t.Fatal(err)
		}
		refused := map[string]string{}
		if s.Width != s.Height {
			for _, dialect := range []string{"viewer", "edges", "csv", "csv-hints-xyr", "csv-hints-hxy"} {
				refused[dialect] = "square"
			}
		}
		if s.Colours > 25 {
			refused["bucas"], refused["viewer"], refused["edges"] = "colour", "colour", "colour"
		}
		if p.Cells() > 999 {
			refused["bucas"] = "three digits"
		}
		b := puzzle.NewBoard(p)
		b.Load(solution)
		all = append(all, sample{p.Name, FromBoard(b, p.Name), refused})
		r := random.New(7, "roundtrip", i)
		b.Clear()
		for _, q := range solution {
			if r.Below(2) == 0 && p.Cells() > 1 {
				b.Place(q.Cell, q.Piece, q.Rotation)
			}
		}
		half := map[string]string{}
		for k, v := range refused {
			half[k] = v
		}
		if b.Filled() < p.Cells() {
			half["solution"] = "no piece"
		}
		all = append(all, sample{p.Name + " half empty", FromBoard(b, ""), half})
	}
	return all
}

var boardDialects = []string{"json", "bucas", "viewer", "edges", "et2", "pieces", "solution"}

func sameGrid(g, h *puzzle.Grid) bool {
	return g.Width == h.Width && g.Height == h.Height && slices.Equal(g.Filled, h.Filled) && slices.Equal(g.Edges, h.Edges)
}

func TestBoardsRoundTrip(t *testing.T) {
	for _, s := range samples(t) {
		for _, dialect := range boardDialects {
			var b bytes.Buffer
			err := Write(&b, s.d, dialect)
			if want, refused := s.refused[dialect]; refused {
				if err == nil || !strings.Contains(err.Error(), want) || b.Len() > 0 {
					t.Errorf("%s as %s: error %v, want one that says %q", s.what, dialect, err, want)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s as %s: %v", s.what, dialect, err)
				continue
			}
			for _, o := range []Options{{Puzzle: s.d.Puzzle}, {Puzzle: s.d.Puzzle, Dialect: dialect}} {
				again, err := Read(b.Bytes(), o)
				if err != nil || len(again) != 1 {
					t.Errorf("%s as %s, forced %q: %d documents, %v", s.what, dialect, o.Dialect, len(again), err)
					continue
				}
				d := again[0]
				if !sameGrid(d.Grid, s.d.Grid) || d.Official != s.d.Official {
					t.Errorf("%s as %s, forced %q: another board, warnings %q", s.what, dialect, o.Dialect, d.Warnings)
				}
				if named := dialect != "edges" && dialect != "viewer"; named && !samePlacements(s.d.Puzzle, d.ID.Placements, s.d.ID.Placements) {
					t.Errorf("%s as %s: other pieces", s.what, dialect)
				}
				if carries := dialect == "json" || dialect == "bucas" || dialect == "viewer"; carries && d.Name != s.d.Name {
					t.Errorf("%s as %s: name %q, want %q", s.what, dialect, d.Name, s.d.Name)
				}
			}
		}
	}
}

// samePlacements compares up to turns that a symmetric piece does not show.
func samePlacements(p *puzzle.Puzzle, a, b []puzzle.Placement) bool {
	return slices.EqualFunc(a, b, func(x, y puzzle.Placement) bool {
		return x.Cell == y.Cell && x.Piece == y.Piece && p.Rotated(x.Piece, x.Rotation) == p.Rotated(y.Piece, y.Rotation)
	})
}

// A full board of any set reads back without its piece set where the dialect
// carries colours.
func TestBoardsOfUnknownSets(t *testing.T) {
	for _, s := range samples(t) {
		if s.d.Grid.Tally().Empty > 0 {
			continue
		}
		for _, dialect := range []string{"json", "bucas", "viewer", "edges"} {
			var b bytes.Buffer
			if Write(&b, s.d, dialect) != nil {
				continue
			}
			o := Options{}
			if dialect == "edges" && b.Len() <= leastLetters {
				o.Dialect = dialect
			}
			again, err := Read(b.Bytes(), o)
			if err != nil {
				t.Errorf("%s as %s: %v", s.what, dialect, err)
				continue
			}
			d := again[0]
			if !sameGrid(d.Grid, s.d.Grid) || !sameSet(d.Puzzle.Pieces, s.d.Puzzle.Pieces) || len(d.ID.Placements) != len(d.Grid.Edges) {
				t.Errorf("%s as %s: another board", s.what, dialect)
			}
			if !d.Official && dialect != "json" && !slices.ContainsFunc(d.Warnings, isOtherSet) {
				t.Errorf("%s as %s: no word of the other piece set in %q", s.what, dialect, d.Warnings)
			}
		}
	}
}

func TestPieceListsRoundTrip(t *testing.T) {
	for _, s := range samples(t) {
		if len(s.d.ID.Placements) == 0 {
			continue
		}
		for _, dialect := range []string{"e2pieces", "csv", "csv-hints-xyr", "csv-hints-hxy", "json"} {
			d := *s.d
			d.Grid, d.ID = nil, puzzle.Identification{}
			switch q := s.d.ID.Placements[0]; {
			case dialect == "json", dialect == "csv-hints-xyr" && (q.Cell > 0 || q.Rotation > 0):
				d.Hints = []puzzle.Placement{q}
			case dialect == "csv-hints-hxy" && !d.Puzzle.Framed():
				d.Hints = []puzzle.Placement{{Cell: q.Cell, Piece: q.Piece}}
			}
			var b bytes.Buffer
			err := Write(&b, &d, dialect)
			if want, refused := s.refused[dialect]; refused {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%s as %s: error %v, want %q", s.what, dialect, err, want)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s as %s: %v", s.what, dialect, err)
				continue
			}
			again, err := Read(b.Bytes(), Options{Dialect: dialect})
			if err != nil {
				t.Errorf("%s as %s: %v", s.what, dialect, err)
				continue
			}
			if e := again[0]; !samePieces(e.Puzzle, d.Puzzle) || !samePlacements(d.Puzzle, e.Hints, d.Hints) || e.Official != d.Official {
				t.Errorf("%s as %s: other pieces or hints (%v, want %v), warnings %q", s.what, dialect, e.Hints, d.Hints, e.Warnings)
			}
		}
	}
}

func TestWritersRefuse(t *testing.T) {
	grid := puzzle.NewGrid(2, 2)
	for cell := range grid.Filled {
		grid.Edges[cell], grid.Filled[cell] = puzzle.Edges{1, 2, 3, 4}, true
	}
	grey := puzzle.NewGrid(1, 1)
	grey.Filled[0] = true
	p, _ := puzzle.New("two by two", 2, 2, slices.Repeat([]puzzle.Edges{{1, 1, 1, 1}}, 4), nil)
	foreign := &Document{Grid: grid, Puzzle: p, ID: p.Identify(grid)}
	hinted := &Document{Puzzle: p, Hints: []puzzle.Placement{{Cell: 0, Piece: 1, Rotation: 0}, {Cell: 1, Piece: 0, Rotation: 2}}}
	for _, c := range []struct {
		d             *Document
		dialect, want string
	}{
		{&Document{}, "bucas", "a board"},
		{&Document{}, "json", "a board or pieces"},
		{&Document{}, "e2pieces", "piece set is not known"},
		{&Document{Grid: grid}, "pieces", "piece set is not known"},
		{&Document{Grid: grey}, "edges", "four grey sides"},
		{foreign, "et2", "cell 0: a piece that is not of the set"},
		{foreign, "solution", "not of the set"},
		{hinted, "csv-hints-xyr", "cell 0: a hint that is not turned"},
		{hinted, "csv-hints-hxy", "cell 1: a hint turned by 2"},
		{foreign, "svg", "want one of json, bucas"},
	} {
		var b bytes.Buffer
		err := Write(&b, c.d, c.dialect)
		if err == nil || !strings.Contains(err.Error(), c.want) || b.Len() > 0 {
			t.Errorf("%s: error %v, want one that says %q", c.dialect, err, c.want)
		}
	}
}
