package cnf

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
)

func formula(vars int, clauses ...[]int32) *Formula {
	f := &Formula{}
	for range vars {
		f.Fresh()
	}
	for _, c := range clauses {
		f.Add(c...)
	}
	return f
}

func TestWriteTo(t *testing.T) {
	for name, test := range map[string]struct {
		f    *Formula
		want string
	}{
		"nothing":      {&Formula{}, "p cnf 0 0\n"},
		"empty clause": {formula(0, nil), "p cnf 0 1\n0\n"},
		"unused":       {formula(3), "p cnf 3 0\n"},
		"two clauses":  {formula(12, []int32{1, -12}, []int32{-2}), "p cnf 12 2\n1 -12 0\n-2 0\n"},
		"comments":     {&Formula{Comments: []string{"one", "two words"}}, "c one\nc two words\np cnf 0 0\n"},
	} {
		var text bytes.Buffer
		n, err := test.f.WriteTo(&text)
		if err != nil || text.String() != test.want || n != int64(len(test.want)) {
			t.Errorf("%s: %d bytes %q, %v; want %q", name, n, text.String(), err, test.want)
		}
	}
}

func TestAll(t *testing.T) {
	clauses := [][]int32{{1, 2, -3}, {}, {-1}, {}, {3, 3}}
	f := formula(3, clauses...)
	if got := slices.Collect(f.All()); !slices.EqualFunc(got, clauses, slices.Equal) {
		t.Errorf("clauses %v, want %v", got, clauses)
	}
	if f.Clauses != 5 || f.Vars != 3 || f.Literals() != 6 {
		t.Errorf("%d clauses, %d variables, %d literals", f.Clauses, f.Vars, f.Literals())
	}
	for c := range f.All() {
		if !slices.Equal(c, clauses[0]) || cap(c) != len(c) {
			t.Errorf("clause %v with room for %d", c, cap(c))
		}
		break // and the iteration ends
	}
}

func TestSatisfied(t *testing.T) {
	xor := formula(2, []int32{1, 2}, []int32{-1, -2})
	for _, test := range []struct {
		f     *Formula
		model []bool
		want  bool
	}{
		{&Formula{}, nil, true},
		{formula(0, nil), nil, false},
		{formula(1, []int32{1}, nil), []bool{true}, false},
		{xor, []bool{true, false}, true},
		{xor, []bool{true, true}, false},
		{xor, []bool{false, false}, false},
		{xor, []bool{false, true, true}, true},
		{xor, []bool{true}, false},
		{formula(3, []int32{1}), []bool{true}, false},
	} {
		if got := test.f.Satisfied(test.model); got != test.want {
			t.Errorf("%v with %v: %t, want %t", slices.Collect(test.f.All()), test.model, got, test.want)
		}
	}
}

var errFull = errors.New("disk full")

type failing struct{ left int }

func (w *failing) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteToFails(t *testing.T) {
	f := formula(100000)
	for v := range int32(100000) {
		f.Add(v + 1)
	}
	f.Comments = []string{strings.Repeat("x", 100)}
	for _, room := range []int{0, 70_000, 600_000} {
		if n, err := f.WriteTo(&failing{room}); !errors.Is(err, errFull) || n > int64(room) {
			t.Errorf("room for %d: %d bytes, %v", room, n, err)
		}
	}
}

func BenchmarkWriteTo(b *testing.B) {
	f := formula(50000)
	for v := range int32(50000 - 2) {
		f.Add(-v-1, v+2, -v-3)
	}
	b.ReportAllocs()
	for b.Loop() {
		n, err := f.WriteTo(&failing{1 << 30})
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(n)
	}
}
