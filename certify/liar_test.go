package certify_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"lastmile/certify"
	"lastmile/certify/cnf"
	"lastmile/certify/drat"
	"lastmile/puzzle"
	"lastmile/random"
	"lastmile/search"
)

// liar answers as it likes.
type liar func(ctx context.Context, f *cnf.Formula, proof io.Writer, limits certify.Limits) (certify.Answer, error)

func (liar) Name() string { return "liar" }

func (l liar) Solve(ctx context.Context, f *cnf.Formula, proof io.Writer, limits certify.Limits) (certify.Answer, error) {
	return l(ctx, f, proof, limits)
}

var no = certify.Answer{Status: certify.Unsatisfiable}

// honest is what gophersat says, and its proof.
func honest(ctx context.Context, f *cnf.Formula) (certify.Answer, []byte, error) {
	var proof bytes.Buffer
	answer, err := gophersat.Solve(ctx, f, &proof, certify.Limits{})
	return answer, proof.Bytes(), err
}

// unsays writes something else than the proof of gophersat, and its answer.
func unsays(change func(proof []byte) []byte) liar {
	return func(ctx context.Context, f *cnf.Formula, proof io.Writer, limits certify.Limits) (certify.Answer, error) {
		answer, text, err := honest(ctx, f)
		if answer.Status == certify.Unsatisfiable {
			proof.Write(change(text))
		}
		return answer, err
	}
}

// models says another model than gophersat, of a formula that has one.
func models(change func(f *cnf.Formula, model []bool) []bool) liar {
	return func(ctx context.Context, f *cnf.Formula, proof io.Writer, limits certify.Limits) (certify.Answer, error) {
		answer, _, err := honest(ctx, f)
		if answer.Status == certify.Satisfiable {
			answer.Model = change(f, answer.Model)
		}
		return answer, err
	}
}

// endless writes lemmas that are right until it is stopped, or for ever.
func endless(heeds bool) liar {
	return func(ctx context.Context, f *cnf.Formula, proof io.Writer, limits certify.Limits) (certify.Answer, error) {
		for {
			_, err := proof.Write([]byte{'a', 2, 3, 0}) // a tautology
			switch {
			case heeds && err != nil:
				return certify.Answer{}, fmt.Errorf("writing the proof: %w", err)
			case ctx.Err() != nil:
				return certify.Answer{Why: "stopped"}, nil
			case !heeds && err != nil:
				return no, nil
			}
		}
	}
}

// bad is a region with a refill that is better, and none that is perfect, which
// neither counting nor unit propagation finds out.
func bad(t testing.TB) *certify.Region {
	t.Helper()
	p, solution, err := puzzle.Generate(puzzle.Spec{Width: 5, Height: 5, Colours: 4, Seed: 51})
	if err != nil {
		t.Fatal(err)
	}
	b := puzzle.NewBoard(p)
	b.Load(solution)
	damage(random.New(51, "bad", 0), b, 10)
	r, err := certify.NewRegion(b, []int{6, 7, 8, 11, 12, 13, 16, 17})
	if err != nil {
		t.Fatal(err)
	}
	if certify.Needs(r) != 0 || r.Own() != 10 {
		t.Fatalf("counting needs %d breaks, the board has %d: want 0 and 10", certify.Needs(r), r.Own())
	}
	return r
}

// What a solver says is an answer only when it can be checked.
func TestLyingSolvers(t *testing.T) {
	for name, test := range map[string]struct {
		solver liar
		want   string
	}{
		"unsatisfiable without a proof": {func(context.Context, *cnf.Formula, io.Writer, certify.Limits) (certify.Answer, error) {
			return no, nil
		}, "the proof of liar is wrong: drat: step 1: the proof ends here"},
		"unsatisfiable always": {func(_ context.Context, _ *cnf.Formula, proof io.Writer, _ certify.Limits) (certify.Answer, error) {
			proof.Write([]byte{'a', 0})
			return no, nil
		}, "the proof of liar is wrong: drat: step 1: lemma 0"},
		"proof cut":        {unsays(func(proof []byte) []byte { return proof[:len(proof)/4] }), "the proof of liar is wrong: drat: step"},
		"proof cut to one": {unsays(func(proof []byte) []byte { return proof[:1] }), "the proof of liar is wrong: drat: step 1"},
		"a wrong lemma": {unsays(func(proof []byte) []byte {
			return append([]byte{'a', 2, 0, 'a', 3, 0}, proof...)
		}), "the proof of liar is wrong: drat: step"},
		"garbage": {unsays(func(proof []byte) []byte {
			return []byte("there is no way, believe me")
		}), "the proof of liar is wrong: drat: step 1"},
		"text":           {unsays(func([]byte) []byte { return []byte("1 2 0\n0\n") }), "the proof of liar is wrong: drat: step 1"},
		"no model":       {models(func(*cnf.Formula, []bool) []bool { return nil }), "the model of liar is wrong: certify: a model of 0 variables, want"},
		"a short model":  {models(func(_ *cnf.Formula, m []bool) []bool { return m[:5] }), "the model of liar is wrong: certify: a model of 5 variables, want"},
		"nothing placed": {models(func(_ *cnf.Formula, m []bool) []bool { return make([]bool, len(m)) }), "the model of liar is wrong: certify: 0 placements"},
		"all placed": {models(func(_ *cnf.Formula, m []bool) []bool {
			for i := range m {
				m[i] = true
			}
			return m
		}), "the model of liar is wrong: certify: "},
		"the board as it is": {models(func(f *cnf.Formula, m []bool) []bool {
			return asItIs(t, m)
		}), "the model of liar is wrong: certify: "},
		"an error": {func(context.Context, *cnf.Formula, io.Writer, certify.Limits) (certify.Answer, error) {
			return certify.Answer{}, errors.New("out of lies")
		}, "liar: out of lies"},
		"an error after a proof": {func(ctx context.Context, f *cnf.Formula, proof io.Writer, _ certify.Limits) (certify.Answer, error) {
			answer, text, _ := honest(ctx, f)
			proof.Write(text)
			return answer, errors.New("segmentation fault")
		}, "liar: segmentation fault"},
	} {
		t.Run(name, func(t *testing.T) {
			files := newStore()
			res, err := certify.Decide(t.Context(), bad(t), certify.Better, certify.Plan{Solver: test.solver, Store: files, Name: "lie"})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if len(files.MapFS) != 0 || files.open != 0 {
				t.Errorf("%d files are kept, %d open", len(files.MapFS), files.open)
			}
			if res.Verdict == certify.Proven || res.Floor > 0 || len(res.Steps) > 0 {
				t.Errorf("%s with a floor of %d all the same", res.Verdict, res.Floor)
			}
			if name == "the board as it is" {
				return // this board
			}
			if err := certify.Control(t.Context(), test.solver); err == nil {
				t.Error("the control lets it pass")
			}
		})
	}
}

// asItIs is a model whose first variables put the pieces of a board back.
func asItIs(t *testing.T, model []bool) []bool {
	r := bad(t)
	clear(model)
	v := 0
	for _, cell := range r.Cells() {
		for _, o := range r.Board().Puzzle().Fits(cell) {
			if at := r.Rest().CellOf(int(o.Piece)); at != puzzle.Empty {
				continue
			}
			// At a high bound no choice is left out.
			model[v] = r.Board().Piece(cell) == int(o.Piece) && r.Board().Edges(cell) == o.Edges
			v++
		}
	}
	return model
}

// What ends a search leaves the verdict open, says why, and leaves no file.
func TestOpenVerdicts(t *testing.T) {
	asleep := liar(func(ctx context.Context, _ *cnf.Formula, proof io.Writer, _ certify.Limits) (certify.Answer, error) {
		<-ctx.Done()
		time.Sleep(20 * time.Millisecond) // it does not hear at once
		proof.Write([]byte{'a', 2, 3, 0})
		return certify.Answer{Why: "stopped"}, nil
	})
	late := liar(func(ctx context.Context, f *cnf.Formula, proof io.Writer, _ certify.Limits) (certify.Answer, error) {
		<-ctx.Done() // and then says something all the same
		return no, nil
	})
	for name, test := range map[string]struct {
		plan certify.Plan
		why  string
	}{
		"proof too long":      {certify.Plan{Solver: gophersat, MaxProof: 20}, "a proof of more than 20 bytes"},
		"endless proof":       {certify.Plan{Solver: endless(true), MaxProof: 100_000}, "a proof of more than 100000 bytes"},
		"endless, deaf":       {certify.Plan{Solver: endless(false), MaxProof: 100_000}, "a proof of more than 100000 bytes"},
		"endless, by time":    {certify.Plan{Solver: endless(true), Time: 50 * time.Millisecond}, "time"},
		"deaf, by time":       {certify.Plan{Solver: endless(false), Time: 50 * time.Millisecond}, "time"},
		"asleep":              {certify.Plan{Solver: asleep, Time: 20 * time.Millisecond}, "time"},
		"late":                {certify.Plan{Solver: late, Time: 20 * time.Millisecond}, "time"},
		"memory of checker":   {certify.Plan{Solver: &unbounded{gophersat}, Memory: 30_000}, "the memory of the checker"},
		"memory of formula":   {certify.Plan{Solver: gophersat, Memory: 2_000}, "the memory of the formula"},
		"gives up, with why":  {certify.Plan{Solver: &shy{gophersat, 1 << 30}}, "shyness"},
		"no time to begin at": {certify.Plan{Solver: gophersat, Time: 1}, "time"},
	} {
		for _, goal := range []certify.Goal{certify.Better, certify.Perfect} {
			t.Run(name+"/"+goal.String(), func(t *testing.T) {
				files := newStore()
				test.plan.Store, test.plan.Name = files, "open"
				r := bad(t)
				res, err := certify.Decide(t.Context(), r, goal, test.plan)
				if err != nil {
					t.Fatal(err)
				}
				if goal == certify.Perfect && name == "proof too long" && res.Verdict == certify.Proven {
					return // it takes few bytes
				}
				if name == "proof too long" && res.Best < r.Own() {
					return
				}
				if res.Verdict != certify.Open || res.Why != test.why {
					t.Errorf("%s for %q, want it open for %q", res.Verdict, res.Why, test.why)
				}
				if len(files.MapFS) != 0 || files.open != 0 {
					t.Errorf("%d files are kept, %d open", len(files.MapFS), files.open)
				}
			})
		}
	}
}

// unbounded does not tell its solver of limits.
type unbounded struct{ certify.Solver }

func (u *unbounded) Solve(ctx context.Context, f *cnf.Formula, proof io.Writer, _ certify.Limits) (certify.Answer, error) {
	return u.Solver.Solve(ctx, f, proof, certify.Limits{})
}

// A user who stops gets what is known, never a proof that is not.
func TestCancelled(t *testing.T) {
	r := bad(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, goal := range []certify.Goal{certify.Better, certify.Perfect} {
		res, err := certify.Decide(ctx, r, goal, certify.Plan{Solver: gophersat})
		if err != nil || res.Verdict != certify.Open || res.Why != "time" {
			t.Errorf("%v: %s for %q, %v", goal, res.Verdict, res.Why, err)
		}
	}
	// In the middle: after so many questions.
	for questions := range 6 {
		ctx, cancel := context.WithCancel(t.Context())
		files := newStore()
		n := 0
		stop := liar(func(ctx context.Context, f *cnf.Formula, proof io.Writer, limits certify.Limits) (certify.Answer, error) {
			if n++; n > questions {
				cancel()
			}
			return gophersat.Solve(ctx, f, proof, limits)
		})
		res, err := certify.Decide(ctx, r, certify.Better, certify.Plan{Solver: stop, Store: files, Name: "stopped"})
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if n > questions && res.Verdict == certify.Proven {
			t.Errorf("stopped at question %d: %s", n, res.Verdict)
		}
		(&scene{name: "stopped"}).recheck(t, r, &res, files)
	}
}

// full is a Store on a disk that fills up.
type full struct {
	*store
	left int
}

var errDisk = errors.New("disk full")

func (s *full) Create(name string) (certify.File, error) {
	if s.left--; s.left < 0 {
		return nil, errDisk
	}
	f, err := s.store.Create(name)
	return &fullFile{f, s}, err
}

type fullFile struct {
	certify.File
	store *full
}

func (f *fullFile) Write(p []byte) (int, error) {
	if f.store.left--; f.store.left < 0 {
		return 0, errDisk
	}
	return f.File.Write(p)
}

func (f *fullFile) Commit() error {
	if f.store.left--; f.store.left < 0 {
		return errDisk
	}
	return f.File.Commit()
}

// A file that cannot be written is an error that names it, wherever it happens.
func TestStoreThatFails(t *testing.T) {
	r := bad(t)
	for left := range 200 {
		files := &full{store: newStore(), left: left}
		res, err := certify.Decide(t.Context(), r, certify.Perfect, certify.Plan{Solver: gophersat, Store: files, Name: "full"})
		if err == nil {
			if left < 4 || res.Verdict != certify.Proven || len(files.MapFS) != 2 {
				t.Errorf("%s with a disk that is full after %d writes", res.Verdict, left)
			}
			return
		}
		if !errors.Is(err, errDisk) || len(files.MapFS) > 0 || files.open != 0 {
			t.Errorf("after %d writes: %v, %d files, %d open", left, err, len(files.MapFS), files.open)
		}
	}
	t.Error("it never fits")
}

func TestControl(t *testing.T) {
	each(t, func(t *testing.T, s certify.Solver) {
		if err := certify.Control(t.Context(), s); err != nil {
			t.Error(err)
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := certify.Control(ctx, gophersat); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
	always := func(status certify.Status) liar {
		return func(ctx context.Context, f *cnf.Formula, proof io.Writer, limits certify.Limits) (certify.Answer, error) {
			answer, text, err := honest(ctx, f)
			proof.Write(text)
			if answer.Status != status {
				answer = certify.Answer{Status: status, Model: make([]bool, f.Vars)}
			}
			return answer, err
		}
	}
	for name, test := range map[string]struct {
		solver certify.Solver
		want   string
	}{
		"always satisfiable":   {always(certify.Satisfiable), "certify: control with"},
		"always unsatisfiable": {always(certify.Unsatisfiable), "certify: control with a solved board: the proof of liar is wrong"},
		"never sure":           {&shy{gophersat, 1 << 30}, "certify: control with a solved board: no answer: shyness"},
		"no proofs":            {unsays(func([]byte) []byte { return nil }), "certify: control with a piece kept where it is wrong: the proof of liar is wrong"},
	} {
		if err := certify.Control(t.Context(), test.solver); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

// No question of the control is answered before a solver begins.
func TestControlAsksSomething(t *testing.T) {
	var formulas []*cnf.Formula
	if err := certify.Control(t.Context(), liar(func(ctx context.Context, f *cnf.Formula, proof io.Writer, limits certify.Limits) (certify.Answer, error) {
		formulas = append(formulas, f)
		return gophersat.Solve(ctx, f, proof, limits)
	})); err != nil {
		t.Fatal(err)
	}
	if len(formulas) != 3 {
		t.Fatalf("%d questions, want 3", len(formulas))
	}
	for i, f := range formulas {
		if drat.New(f).Refuted() {
			t.Errorf("question %d needs no proof", i+1)
		}
	}
}

// Observers hear of each question when it begins and ends.
func TestDecideTells(t *testing.T) {
	r := bad(t)
	var kinds []search.Kind
	res, err := certify.Decide(t.Context(), r, certify.Better, certify.Plan{Solver: gophersat, Watch: search.Func(func(e search.Event) {
		kinds = append(kinds, e.Kind)
		if e.Stage != "certify" || !strings.Contains(e.Detail, fmt.Sprintf("of %d cells", len(r.Cells()))) || e.Best > e.Max {
			t.Errorf("event %+v", e)
		}
	})})
	if err != nil || res.Verdict != certify.Found {
		t.Fatal(res.Verdict, err)
	}
	for i, k := range kinds {
		if want := []search.Kind{search.Started, search.Finished}[i%2]; k != want {
			t.Errorf("event %d is %v, want %v", i, k, want)
		}
	}
	if len(kinds) < 2 || len(kinds)%2 != 0 {
		t.Errorf("%d events", len(kinds))
	}
}
