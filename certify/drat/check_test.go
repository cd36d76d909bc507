package drat

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"lastmile/certify/cnf"
)

// All eight clauses over three variables, all four over two, and others that
// have no model.
var (
	square = formula(2, []int32{1, 2}, []int32{1, -2}, []int32{-1, 2}, []int32{-1, -2})
	cube   = formula(3, []int32{1, 2, 3}, []int32{1, 2, -3}, []int32{1, -2, 3}, []int32{1, -2, -3},
		[]int32{-1, 2, 3}, []int32{-1, 2, -3}, []int32{-1, -2, 3}, []int32{-1, -2, -3})
	// A cube whose lemma 1 is not RAT at first.
	guarded = formula(4, append(slices.Collect(cube.All()), []int32{-1, 4})...)
	// The example of the DRAT-trim paper: no literal is forced, and -1 is RAT but not RUP.
	wetzler = formula(4, []int32{1, 2, -3}, []int32{-1, -2, 3}, []int32{2, 3, -4}, []int32{-2, -3, 4},
		[]int32{-1, -3, -4}, []int32{1, 3, 4}, []int32{-1, 2, 4}, []int32{1, -2, -4})
	open = formula(3, []int32{1, 2, 3}, []int32{-1, -2}, []int32{-1, -3}, []int32{-2, -3})
)

func TestCheckText(t *testing.T) {
	for _, c := range []struct {
		name  string
		f     *cnf.Formula
		proof string
		want  string // of the error; empty: accepted
	}{
		{"resolution", square, "1 0\n0\n", ""},
		{"forced before the empty clause", square, "1 0\n", ""},
		{"one line, no line end", square, "1 0 0", ""},
		{"empty clause at once", square, "0\n", "step 1: lemma 0: not RUP"},
		{"empty proof", square, "", "step 1: the proof ends here, want the empty clause"},
		{"two steps", cube, "1 2 0\n1 0\n2 0\n0\n", ""},
		{"right order", guarded, "1 2 0\n1 0\n2 0\n0\n", ""},
		{"wrong order", guarded, "1 0\n1 2 0\n2 0\n0\n", "step 1: lemma 1 0: neither RUP nor RAT on 1"},
		{"comments and blanks", cube, "c a proof\n\n  c of the cube\n1\t2\r\n0 1 0 2 0\nc end", ""},
		{"literal twice", cube, "1 2 1 2 2 0 1 1 0 2 0 0", ""},
		{"tautology", cube, "1 -1 0 3 2 -3 0 d -1 1 0 1 2 0 1 0 2 0 0", ""},
		{"deletes what is no longer needed", cube, "1 2 0 d 3 2 1 0 d -3 1 2 0 1 0 2 0 0", ""},
		{"deletes what is needed", cube, "d 3 2 1 0\n1 2 0\n1 0\n2 0\n0\n", "step 2: lemma 1 2 0: neither RUP nor RAT on 1"},
		{"deletes a lemma that is needed", guarded, "1 2 0 d 2 1 0 1 0", "step 3: lemma 1 0: neither"},
		{"deletes a pair that is needed", square, "d 2 1 0 1 0 0", "step 2: lemma 1 0: neither"},
		{"deletes one of two", square, "1 2 0 d 2 1 0 1 0", ""},
		{"deletes both", square, "2 1 0 d 2 1 0 d 1 2 0 1 0", "step 4"},
		{"deletes one of two long ones", cube, "3 2 1 0 d 3 1 2 0 1 2 0 1 0 2 0", ""},
		{"deletes both long ones", cube, "3 2 1 0 d 3 1 2 0 d 3 1 2 0 1 2 0", "step 4: lemma 1 2 0: neither"},
		{"deletes what is not there", square, "d 1 0 d 7 8 9 0 d 0 1 0", ""},
		{"deletes a unit", cube, "1 2 0 1 0 d 1 0 2 0", ""},
		{"deletes the reason of a unit", formula(3, []int32{1}, []int32{-1, 2}, []int32{-2, 3, 1}, []int32{-2, 3, -1}, []int32{-3, -2}),
			"", ""},
		{"RAT", wetzler, "-1 0 2 0 0", ""},
		{"RAT with deletions", wetzler, "-1 0\nd -1 2 4 0\n2 0\n0\n", ""},
		{"RAT on another literal than the first", formula(3, []int32{1, 2}, []int32{-2, 3}), "-1 2 0", "neither RUP nor RAT on -1, because of the clause 1 2 0"},
		{"RAT on the first", formula(3, []int32{1, 2}, []int32{-3, 1, 2}), "3 -1 0", "step 2: the proof ends here"},
		{"RAT against a pair", formula(3, []int32{-3, 2}), "3 1 0", "RAT on 3, because of the clause -3 2 0"},
		{"RAT against a long clause", formula(4, []int32{-3, 2, 4}), "3 1 0", "RAT on 3, because of the clause -3 2 4 0"},
		{"RAT against a lemma", formula(4, []int32{1, 2, 4}), "-3 1 0 3 2 0", "step 2: lemma 3 2 0: neither RUP nor RAT on 3, because of the clause -3 1 0"},
		{"RAT after the deletion of what is against it", formula(4, []int32{-3, 2, 4}), "d 4 -3 2 0 3 1 0", "step 3: the proof ends"},
		{"RAT on a literal that is forced false", formula(3, []int32{-1}), "1 2 0", "the pivot 1 is false at top level"},
		{"extension variable", square, "9 1 0 9 2 0 -9 -1 -2 0 1 0", ""},
		{"extension variable defined twice", open, "9 1 0 -9 -1 0 -9 2 0", "step 3: lemma -9 2 0: neither RUP nor RAT on -9, because of the clause 1 9 0"},
		{"ends after a satisfiable step", open, "-1 -2 0 1 2 3 0", "step 3: the proof ends here"},
		{"rest is ignored", square, "1 0 nonsense", ""},
		{"rest of a formula that is refuted already", formula(1, []int32{1}, []int32{-1}), "nonsense", ""},
		{"empty clause in the formula", formula(1, []int32{}), "", ""},
		{"empty formula", formula(0), "0", "not RUP"},
		{"empty formula, new unit", formula(0), "1 0 -1 0", "step 2: lemma -1 0: not RUP, and the pivot -1 is false"},
		{"no number", square, "1 x 0", "line 1: found 'x', want a literal or 0"},
		{"number with a tail", square, "1x 0", "found 'x'"},
		{"minus zero", square, "\n-0 0", "line 2: found -0"},
		{"lone minus", square, "- 1 0", "found ' '"},
		{"d in a clause", square, "1 d 0", "found 'd'"},
		{"d without a blank", square, "d1 0", `'1' behind d`},
		{"comment in a clause", square, "1 c 0", "found 'c'"},
		{"too high", square, "1073741824 0", "literal 1073741824, want none beyond 1073741823"},
		{"far too high", square, "99999999999999999999 0", "beyond 1073741823"},
		{"highest", square, "1073741823 0 1 0", ""},
		{"cut in a clause", square, "1 2", "the proof ends in the middle of a clause"},
		{"cut behind a literal", square, "1 ", "the proof ends in the middle of a clause"},
		{"cut behind d", square, "d", "the proof ends in the middle of a clause"},
		{"cut behind minus", square, "-", "the proof ends in the middle of a clause"},
		{"cut in a comment", square, "c 1 0", "step 1: the proof ends here"},
	} {
		_, err := Check(context.Background(), c.f, strings.NewReader(c.proof), Text, Limits{})
		if !verdict(err, c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if _, again := Check(context.Background(), c.f, iotest.OneByteReader(strings.NewReader(c.proof)), Text, Limits{}); fmt.Sprint(again) != fmt.Sprint(err) {
			t.Errorf("%s: byte by byte: %v", c.name, again)
		}
	}
}

func TestCheckBinary(t *testing.T) {
	for _, c := range []struct {
		name  string
		proof string
		want  string
	}{
		{"accepted", "a\x02\x00a\x00", ""},
		{"deletions", "d\x02\x80\x01\x00a\x02\x00", ""},
		{"two bytes", "a\x80\x01\x02\x00a\x02\x00", ""}, // 64 is a new variable
		{"rest is ignored", "a\x02\x00\xff", ""},
		{"empty", "", "step 1: the proof ends here"},
		{"no step", "1 0\n", "byte 1: a step begins with 0x31, want 'a' or 'd'"},
		{"no step after one", "d\x02\x00b", "step 2: byte 4: a step begins with 0x62"},
		{"no variable", "a\x01\x00", "a literal without a variable"},
		{"zero in two bytes", "a\x80\x00", "longer than it need be"},
		{"six bytes", "a\x80\x80\x80\x80\x80\x01", "more than 5 bytes"},
		{"beyond 32 bits", "a\xff\xff\xff\xff\x7f\x00", "want none beyond"},
		{"too high", "a\x80\x80\x80\x80\x08\x00", "literal 1073741824, want none beyond"},
		{"highest", "a\xff\xff\xff\xff\x07\x00a\x02\x00", ""}, // -1073741823
		{"cut in a literal", "a\x80", "step 1: byte 2: the proof ends in the middle of a clause"},
		{"cut behind a literal", "a\x02", "the proof ends in the middle of a clause"},
		{"cut behind a", "a", "the proof ends in the middle of a clause"},
	} {
		_, err := Check(context.Background(), square, strings.NewReader(c.proof), Binary, Limits{})
		if !verdict(err, c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// verdict tells whether the error is none, or an *Error that says this.
func verdict(err error, want string) bool {
	var wrong *Error
	if want == "" {
		return err == nil
	}
	return errors.As(err, &wrong) && strings.Contains(err.Error(), want)
}

func TestStats(t *testing.T) {
	stats, err := Check(context.Background(), wetzler, strings.NewReader("1 -1 0\nd 7 8 0\n-1 0\nd -1 2 4 0\nd -1 0 2 0\n0\n"), Text, Limits{})
	want := Stats{Steps: 6, Lemmas: 3, RAT: 1, Deletions: 3, Ignored: 2, Propagations: stats.Propagations, Bytes: 42}
	if err != nil || stats != want || stats.Propagations == 0 {
		t.Errorf("%+v, %v, want %+v", stats, err, want)
	}
}

// A proof is accepted when it is there, and refused when anything that is
// needed is cut off.
func TestRandomFormulas(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	refuted := 0
	for n := range 1500 {
		vars := 1 + rng.IntN(7)
		f := random(rng, vars, 1+rng.IntN(6*vars))
		proof, sat := proved(f)
		if sat != satisfiable(f) {
			t.Fatal("the prover of the test is wrong")
		}
		stats, err := Check(context.Background(), f, bytes.NewReader(proof), Binary, Limits{})
		if (err == nil) == sat {
			t.Fatalf("formula %d: %v, satisfiable %v\n%s", n, err, sat, dimacs(f))
		}
		if !sat {
			refuted++
			for cut := range stats.Bytes {
				if _, err := Check(context.Background(), f, bytes.NewReader(proof[:cut]), Binary, Limits{}); err == nil {
					t.Fatalf("formula %d: %d bytes of %d are enough", n, cut, stats.Bytes)
				}
			}
		}
	}
	if refuted < 300 {
		t.Errorf("only %d formulas without a model", refuted)
	}
}

// Damaged proofs of formulas without a model, offered for formulas that have one.
func TestDamageNeverRefutesASatisfiableFormula(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	tried := 0
	for tried < 60 {
		vars := 3 + rng.IntN(4)
		f := random(rng, vars, 5*vars)
		proof, sat := proved(f)
		if sat {
			continue
		}
		// The same formula, without clauses up to the first that leave a model.
		weaker, clauses := &cnf.Formula{Vars: vars}, [][]int32{}
		for c := range f.All() {
			clauses = append(clauses, c)
		}
		for skip := 1; ; skip++ {
			weaker = formula(vars, clauses[skip:]...)
			if satisfiable(weaker) {
				break
			}
		}
		tried++
		try := func(damaged []byte) {
			for _, format := range []Format{Binary, Text} {
				if _, err := Check(context.Background(), weaker, bytes.NewReader(damaged), format, Limits{}); err == nil {
					t.Fatalf("proof %q of a formula with a model\n%s", damaged, dimacs(weaker))
				}
			}
		}
		try(proof)
		for i := range proof {
			for bit := range 8 {
				damaged := bytes.Clone(proof)
				damaged[i] ^= 1 << bit
				try(damaged)
			}
		}
	}
}

func dimacs(f *cnf.Formula) string {
	var b strings.Builder
	f.WriteTo(&b)
	return b.String()
}

func TestPigeons(t *testing.T) {
	for holes := 1; holes <= 8; holes++ {
		var b bytes.Buffer
		w := NewWriter(&b)
		provePigeons(holes, w)
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		stats, err := Check(context.Background(), pigeons(holes), &b, Binary, Limits{})
		if err != nil || holes > 2 && stats.RAT == 0 || stats.Ignored > 2*holes*holes {
			t.Errorf("%d holes: %v, %+v", holes, err, stats)
		}
		f := pigeons(holes)
		weaker := formula(f.Vars, slices.Collect(f.All())[1:]...)
		b.Reset()
		w = NewWriter(&b)
		provePigeons(holes, w)
		w.Flush()
		if _, err := Check(context.Background(), weaker, &b, Binary, Limits{}); err == nil && holes > 1 {
			t.Errorf("%d holes, a clause less: accepted", holes)
		}
	}
}

// A proof is checked while it is written.
func TestPipe(t *testing.T) {
	r, w := io.Pipe()
	go func() {
		out := NewWriter(w)
		provePigeons(6, out)
		w.CloseWithError(out.Flush())
	}()
	if _, err := Check(context.Background(), pigeons(6), r, Binary, Limits{}); err != nil {
		t.Error(err)
	}
	r.Close()
}

func TestNoVerdict(t *testing.T) {
	broken := errors.New("broken")
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	lemmas, deletions := endless{kind: 'a'}, endless{kind: 'd'}
	for _, c := range []struct {
		name   string
		ctx    context.Context
		proof  io.Reader
		limits Limits
		want   error
	}{
		{"reader", context.Background(), io.MultiReader(strings.NewReader("a\x02"), iotest.ErrReader(broken)), Limits{}, broken},
		{"context", cancelled, strings.NewReader("a\x02\x00"), Limits{}, context.Canceled},
		{"memory of the formula", context.Background(), strings.NewReader("a\x02\x00"), Limits{Memory: 100}, ErrMemory},
		{"memory of lemmas", context.Background(), &lemmas, Limits{Memory: 1 << 20}, ErrMemory},
		{"memory of new variables", context.Background(), &deletions, Limits{Memory: 1 << 20}, ErrMemory},
	} {
		_, err := Check(c.ctx, cube, c.proof, Binary, c.limits)
		var wrong *Error
		if !errors.Is(err, c.want) || errors.As(err, &wrong) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	if lemmas.read > 1<<20 || deletions.read > 1<<20 {
		t.Errorf("%d and %d bytes until the memory was used up", lemmas.read, deletions.read)
	}
	if _, err := Check(context.Background(), cube, io.MultiReader(strings.NewReader("a"), onlyTwos{}), Binary, Limits{}); !verdict(err, "more than 16777216 literals") {
		t.Errorf("clause without an end: %v", err)
	}
}

// endless is a proof of steps of this kind, each with a new variable.
type endless struct {
	kind byte
	read int
}

func (e *endless) Read(p []byte) (int, error) {
	var b bytes.Buffer
	w := NewWriter(&b)
	for range len(p) / 16 {
		w.step(e.kind, []int32{int32(1<<20 + e.read), 1, 2})
		e.read++
	}
	w.Flush()
	return copy(p, b.Bytes()), nil
}

type onlyTwos struct{}

func (onlyTwos) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 2
	}
	return len(p), nil
}
