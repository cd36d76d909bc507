package study

import (
	"context"
	"reflect"
	"testing"

	"lastmile/game/virus"
	"lastmile/random"
)

func position(t *testing.T, fen string) virus.Position {
	t.Helper()
	p, err := virus.ParseFEN(virus.Virus, fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestShape(t *testing.T) {
	a := position(t, "x4oo/7/7/3x3/7/2o4/o5x x 0 1")
	want := shapeOf(&a)
	for name, fen := range map[string]string{
		"left and right":    "oo4x/7/7/3x3/7/4o2/x5o x 0 1",
		"up and down":       "o5x/2o4/7/3x3/7/7/x4oo x 0 1",
		"along a diagonal":  "x5o/6o/7/3x3/1o5/7/o5x x 0 1",
		"the other colours": "o4xx/7/7/3o3/7/2x4/x5o o 9 30",
	} {
		p := position(t, fen)
		if shapeOf(&p) != want {
			t.Errorf("%s: another shape", name)
		}
	}
	for name, fen := range map[string]string{
		"other side to move": "x4oo/7/7/3x3/7/2o4/o5x o 0 1",
		"a stone moved":      "x4oo/7/7/3x3/7/3o3/o5x x 0 1",
	} {
		if p := position(t, fen); shapeOf(&p) == want {
			t.Errorf("%s: the same shape", name)
		}
	}
	seen := map[virus.Squares]bool{}
	for turn := range 8 {
		seen[turned(0b10, virusSize, turn)] = true
	}
	if len(seen) != 8 {
		t.Errorf("%d of 8 symmetries", len(seen))
	}
}

func TestFillable(t *testing.T) {
	for fen, want := range map[string]int{
		"x2/3/2o x 0 1":                         7,
		"x-2/--2/4/3o x 0 1":                    11, // gaps shut x in
		"xxx1/xxxx/oooo/oooo x 0 1":             1,
		"xx-1/xx-1/---1/oo-1 x 0 1":             0,
		"x6/7/7/7/7/7/6o x 0 1":                 47,
		"xxxxxxx/7/-------/7/7/7/ooooooo x 0 1": 28,
	} {
		p := position(t, fen)
		if got := fillable(&p); got != want {
			t.Errorf("%s: %d, want %d", fen, got, want)
		}
	}
}

// A game depends on its stream alone.
func TestSelfPlay(t *testing.T) {
	s, err := newSelfPlay(nil, 50, 100)
	if err != nil {
		t.Fatal(err)
	}
	play := func(number int) []virus.Position {
		line, err := suiteGame(context.Background(), s, random.New(1, "self-play", number))
		if err != nil {
			t.Fatal(err)
		}
		return line
	}
	a := play(1)
	play(2)
	if b := play(1); !reflect.DeepEqual(a, b) {
		t.Error("a game depends on the one before")
	}
	if last := a[len(a)-1]; !last.Over() || a[0] != virus.Start(virus.Virus, virusSize, virusSize) {
		t.Errorf("from %s to %s", a[0].FEN(), last.FEN())
	}
}

func TestSuite(t *testing.T) {
	sample := func(threads int) *gameSuite {
		s, err := sampleSuite(context.Background(), 2, 5, 60, threads, func(string) {})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	a := sample(1)
	if b := sample(3); !reflect.DeepEqual(a, b) {
		t.Errorf("%d games on one thread, %d on three, or other positions", a.games, b.games)
	}
	if len(a.zugzwangs) != 5 || len(a.middle) != 60 {
		t.Fatalf("%d zugzwangs, %d of the middle", len(a.zugzwangs), len(a.middle))
	}
	solver := virus.NewSolver(12)
	shapes := map[virusShape]bool{}
	for _, z := range a.zugzwangs {
		p := z.position
		move, err := exactMargin(context.Background(), solver, p)
		if err != nil {
			t.Fatal(err)
		}
		pass, err := exactMargin(context.Background(), solver, p.Swapped())
		if err != nil || move != z.move || -pass != z.pass || signOf(-pass) <= signOf(move) {
			t.Errorf("%s: %d and %d, want %d and %d, %v", p.FEN(), z.move, z.pass, move, -pass, err)
		}
		if n := fillable(&p); n != z.empties || n < suiteFew || n > suiteMany || !bothMove(&p) {
			t.Errorf("%s is no ending", p.FEN())
		}
		shapes[shapeOf(&p)] = true
	}
	for _, p := range a.middle {
		if n := p.Empty().Count(); n < suiteMiddleFew || n > suiteMiddle || !bothMove(&p) {
			t.Errorf("%s is no middle game", p.FEN())
		}
		shapes[shapeOf(&p)] = true
	}
	if len(shapes) != 65 {
		t.Errorf("%d distinct positions, want 65", len(shapes))
	}
}
