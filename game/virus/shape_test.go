package virus

import "testing"

func TestShape(t *testing.T) {
	a := position(t, Virus, "x4oo/7/7/3x3/7/2o4/o5x x 0 1")
	want := a.Shape()
	for name, fen := range map[string]string{
		"left and right":    "oo4x/7/7/3x3/7/4o2/x5o x 0 1",
		"up and down":       "o5x/2o4/7/3x3/7/7/x4oo x 0 1",
		"along a diagonal":  "x5o/6o/7/3x3/1o5/7/o5x x 0 1",
		"the other colours": "o4xx/7/7/3o3/7/2x4/x5o o 9 30",
	} {
		p := position(t, Virus, fen)
		if p.Shape() != want {
			t.Errorf("%s: another shape", name)
		}
	}
	for name, fen := range map[string]string{
		"other side to move": "x4oo/7/7/3x3/7/2o4/o5x o 0 1",
		"a stone moved":      "x4oo/7/7/3x3/7/3o3/o5x x 0 1",
	} {
		if p := position(t, Virus, fen); p.Shape() == want {
			t.Errorf("%s: the same shape", name)
		}
	}
	seen := map[Squares]bool{}
	for turn := range 8 {
		seen[a.turned(0b10, turn)] = true
	}
	if len(seen) != 8 {
		t.Errorf("%d of 8 symmetries", len(seen))
	}
}

// Mirror images look the same, and others do not.
func TestShapeOfAnySize(t *testing.T) {
	like := []string{"x1oo/3o/4/x3 x", "oo1x/o3/4/3x x", "x3/4/3o/x1oo x", "x2x/4/o3/oo2 x", "o1xx/3x/4/o3 o"}
	want := Shape{}
	for i, fen := range like {
		p, err := ParseFEN(Virus, fen)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			want = p.Shape()
		}
		if p.Shape() != want {
			t.Errorf("%s does not look like %s", fen, like[0])
		}
	}
	for _, fen := range []string{"x1oo/3o/4/x3 o", "x1oo/3o/4/x2- x", "x1oo/3o/4/1x2 x", "x1oo/3o/x3 x"} {
		p, err := ParseFEN(Virus, fen)
		if err != nil {
			t.Fatal(err)
		}
		if p.Shape() == want {
			t.Errorf("%s looks like %s", fen, like[0])
		}
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
		p := position(t, Virus, fen)
		if got := p.Fillable(); got != want {
			t.Errorf("%s: %d, want %d", fen, got, want)
		}
	}
}
