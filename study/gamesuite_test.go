package study

import (
	"cmp"
	"context"
	"reflect"
	"testing"

	"lastmile/game/virus"
	"lastmile/random"
)

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
	shapes := map[virus.Shape]bool{}
	for _, z := range a.zugzwangs {
		p := z.position
		move, err := exactMargin(context.Background(), solver, p)
		if err != nil {
			t.Fatal(err)
		}
		pass, err := exactMargin(context.Background(), solver, p.Swapped())
		if err != nil || move != z.move || -pass != z.pass || cmp.Compare(-pass, 0) <= cmp.Compare(move, 0) {
			t.Errorf("%s: %d and %d, want %d and %d, %v", p.FEN(), z.move, z.pass, move, -pass, err)
		}
		if n := p.Fillable(); n != z.empties || n < suiteFew || n > suiteMany || !bothMove(&p) {
			t.Errorf("%s is no ending", p.FEN())
		}
		shapes[p.Shape()] = true
	}
	for _, p := range a.middle {
		if n := p.Empty().Count(); n < suiteMiddleFew || n > suiteMiddle || !bothMove(&p) {
			t.Errorf("%s is no middle game", p.FEN())
		}
		shapes[p.Shape()] = true
	}
	if len(shapes) != 65 {
		t.Errorf("%d distinct positions, want 65", len(shapes))
	}
}
