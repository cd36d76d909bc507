package job_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"lastmile/hunt/job"
	"lastmile/ledger"
	"lastmile/puzzle"
)

// jobs are one of each kind that take a while, on the official puzzle.
func jobs(t *testing.T) []job.Job {
	t.Helper()
	p := puzzle.Official()
	r, _ := puzzle.RecordNamed("riotte-464")
	whole := p.Codes(r.Board)
	b, err := p.Decode(whole)
	if err != nil {
		t.Fatal(err)
	}
	j := job.Job{Set: job.Official, Seed: 3, Stream: 2}
	nodes, iterations := j, j
	nodes.Nodes, iterations.Iterations = 3_000_000, 150_000
	return []job.Job{
		job.New(iterations, &job.Solve{Method: "beam", Order: "column", Width: 64}),
		job.New(iterations, &job.Polish{Start: whole}),
		job.New(nodes, &job.Build{Order: "row-major@sw"}),
		job.New(nodes, exhaustion(t)),
		job.New(nodes, &job.Certify{Board: whole, Cells: p.Halo(b.BrokenCells(), 0, puzzle.Chebyshev), Goal: "better"}),
	}
}

// exhaustion is the one of the design's table that keeps 224 cells: 194,827
// nodes by the page's ledger.
func exhaustion(t *testing.T) *job.Exhaust {
	t.Helper()
	p := puzzle.Official()
	r, _ := puzzle.RecordNamed("riotte-464")
	turned, err := p.Turned(r.Board, 2)
	if err != nil {
		t.Fatal(err)
	}
	kept := p.Codes(turned)
	var order []int
	for cell := 224; cell < 256; cell++ {
		kept[cell] = -1
		order = append(order, cell)
	}
	return &job.Exhaust{Board: kept, Order: order, Budget: 5, Charge: "seam", Ledger: "off"}
}

func puzzleOf(t *testing.T, j job.Job) *puzzle.Puzzle {
	t.Helper()
	p, err := puzzle.Official().WithClues(j.Clues)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A job that is stopped again and again, each time on another machine, comes to
// what it comes to in one go.
func TestSittingsComeToTheSame(t *testing.T) {
	for _, j := range jobs(t) {
		t.Run(j.Kind, func(t *testing.T) {
			t.Parallel()
			p := puzzleOf(t, j)
			want, err := job.Do(context.Background(), p, j, job.Sitting{})
			if err != nil {
				t.Fatal(err)
			}
			var saved []byte
			var got job.Result
			sittings := 0
			for patience := 30 * time.Millisecond; ; patience += patience / 4 {
				ctx, stop := context.WithTimeout(context.Background(), patience)
				got, err = job.Do(ctx, p, j, job.Sitting{Saved: saved, Save: func(b []byte) { saved = b }, Every: 5 * time.Millisecond})
				stop()
				sittings++
				if err == nil {
					break
				}
				if !errors.Is(err, job.ErrStopped) {
					t.Fatal(err)
				}
			}
			got.Seconds, want.Seconds = 0, 0
			if !reflect.DeepEqual(got, want) {
				t.Errorf("in %d sittings: %+v; want %+v", sittings, got, want)
			}
			if len(want.Boards) > 0 {
				if _, err := want.Boards[0].Judge(p); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// What was saved and damaged on its way is as if it were not there.
func TestDamagedStateBeginsAnew(t *testing.T) {
	for _, j := range jobs(t)[:2] {
		p := puzzleOf(t, j)
		want, err := job.Do(context.Background(), p, j, job.Sitting{})
		if err != nil {
			t.Fatal(err)
		}
		for _, saved := range []string{"", "{", `{"walks":[{"board":[1,2]}]}`, `{"attempts":[{"number":7}]}`} {
			got, err := job.Do(context.Background(), p, j, job.Sitting{Saved: []byte(saved)})
			if err != nil {
				t.Fatalf("%s: %v", saved, err)
			}
			if !reflect.DeepEqual(got.Boards, want.Boards) {
				t.Errorf("%s %s: another board", j.Kind, saved)
			}
		}
	}
}

// However an exhaustion is shared out, its parts count what the whole counts.
func TestPartsAddUp(t *testing.T) {
	whole := exhaustion(t)
	p := puzzle.Official()
	b, err := p.Decode(whole.Board)
	if err != nil {
		t.Fatal(err)
	}
	want, err := ledger.Exhaust(context.Background(), &ledger.Problem{Board: b, Order: whole.Order, Budget: 5, Mode: ledger.Off}, ledger.Plan{})
	if err != nil {
		t.Fatal(err)
	}
	if want.Nodes != 3_784_655 {
		t.Fatalf("%d nodes, want the published 3,784,655", want.Nodes)
	}
	for _, nodes := range []int64{1000, 50_000, 5_000_000} {
		first := job.New(job.Job{Set: job.Official, Nodes: nodes / 10}, whole)
		queue := []job.Job{first}
		var counts ledger.Counts
		byBreaks := make([]int64, 6)
		parts, seen := 0, map[string]bool{}
		for len(queue) > 0 {
			j := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			if seen[j.ID()] {
				t.Fatalf("part %s twice", j.ID())
			}
			seen[j.ID()] = true
			parts++
			r, err := job.Do(context.Background(), p, j, job.Sitting{})
			if err != nil {
				t.Fatal(err)
			}
			counts.Add(r.Exhausted.Counts)
			for i, n := range r.Exhausted.ByBreaks {
				byBreaks[i] += n
			}
			w, err := j.Work()
			if err != nil {
				t.Fatal(err)
			}
			queue = append(queue, r.Exhausted.Next(j, w.(*job.Exhaust), 8, nodes)...)
		}
		if counts != want.Counts || !reflect.DeepEqual(byBreaks, want.ByBreaks) {
			t.Errorf("%d parts of %d nodes: %+v %v, want %+v %v", parts, nodes, counts, byBreaks, want.Counts, want.ByBreaks)
		}
	}
}

func TestJobsTravel(t *testing.T) {
	seen := map[string]bool{}
	for _, j := range jobs(t) {
		text, err := json.Marshal(j)
		if err != nil {
			t.Fatal(err)
		}
		var back job.Job
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if back.ID() != j.ID() || seen[j.ID()] {
			t.Errorf("%s: named %s, comes back as %s", j.Kind, j.ID(), back.ID())
		}
		seen[j.ID()] = true
		back.Stream++
		if back.ID() == j.ID() {
			t.Errorf("%s: two jobs of one name", j.Kind)
		}
	}
	if len(seen) != len(job.Kinds()) {
		t.Errorf("jobs of %d kinds, want %d", len(seen), len(job.Kinds()))
	}
}

// A board that is not what is claimed is refused, whatever is wrong with it.
func TestJudgeRefuses(t *testing.T) {
	five, err := puzzle.CluesNamed("five")
	if err != nil {
		t.Fatal(err)
	}
	p := puzzle.Official()
	pinned, err := p.WithClues(five)
	if err != nil {
		t.Fatal(err)
	}
	r, _ := puzzle.RecordNamed("riotte-464")
	good := func() job.Board { return job.BoardOf(p, 464, r.Board) }
	if _, err := good().Judge(p); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(b *job.Board){
		"a better score":   func(b *job.Board) { b.Score = 480 },
		"a worse score":    func(b *job.Board) { b.Score = 463 },
		"an empty cell":    func(b *job.Board) { b.Codes[100] = -1; b.Score = 460 },
		"a piece twice":    func(b *job.Board) { b.Codes[100] = b.Codes[101] },
		"a foreign piece":  func(b *job.Board) { b.Codes[100] = 4 * 300 },
		"a cell short":     func(b *job.Board) { b.Codes = b.Codes[1:] },
		"grey turned in":   func(b *job.Board) { b.Codes[0] ^= 2 },
		"no codes":         func(b *job.Board) { b.Codes = nil },
		"a negative code":  func(b *job.Board) { b.Codes[5] = -7 },
		"two pieces moved": func(b *job.Board) { b.Codes[100], b.Codes[101] = b.Codes[101], b.Codes[100] },
	} {
		b := good()
		spoil(&b)
		if _, err := b.Judge(p); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	free, _ := puzzle.RecordNamed("blackwood-470") // holds the starter alone
	if _, err := job.BoardOf(p, 470, free.Board).Judge(pinned); err == nil {
		t.Error("a board without the clues: taken")
	}
}

func TestCheckRefuses(t *testing.T) {
	p := puzzle.Official()
	bound := job.Job{Set: job.Official, Nodes: 1000, Iterations: 1000}
	for name, j := range map[string]job.Job{
		"no kind":         {Kind: "dance", Parameters: []byte("{}")},
		"no parameters":   {Kind: "solve", Iterations: 5},
		"no order":        job.New(bound, &job.Solve{Method: "beam", Order: "sideways", Width: 8}),
		"no method":       job.New(bound, &job.Solve{Method: "prayer", Order: "comb", Width: 8}),
		"no iterations":   job.New(job.Job{Nodes: 5}, &job.Solve{Method: "beam", Order: "comb", Width: 8}),
		"too wide":        job.New(bound, &job.Solve{Method: "beam", Order: "comb", Width: 1 << 30}),
		"no nodes":        job.New(job.Job{}, &job.Build{Order: "comb"}),
		"part of a board": job.New(bound, &job.Polish{Start: make([]int, 7)}),
		"judging by auto": job.New(bound, &job.Exhaust{Board: p.Codes(nil), Charge: "seam", Ledger: "auto"}),
		"an empty order":  job.New(bound, &job.Exhaust{Board: p.Codes(nil), Charge: "seam", Ledger: "node"}),
		"no question":     job.New(bound, &job.Certify{Board: p.Codes(puzzle.Records()[0].Board), Cells: []int{1}, Goal: "why"}),
		"below 0":         job.New(job.Job{Nodes: -1}, &job.Build{Order: "comb"}),
	} {
		if err := j.Check(p); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func TestSignatureIsFixed(t *testing.T) {
	// Changes whenever a search does, as the golden tests of the searches do.
	const want = "f4168ae331ed5bd4b33c57b2e2737f2f"
	if got := job.Signature(); got != want {
		t.Errorf("signature %s, want %s", got, want)
	}
}
