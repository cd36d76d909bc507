package job

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"lastmile/puzzle"
)

// Signature is what this program makes of a small job of each kind. Programs that
// differ in it come to different results for the same jobs, be it that their
// searches differ or that their machines compute otherwise, so they cannot share a
// hunt.
func Signature() string { return signature() }

var signature = sync.OnceValue(func() string {
	p, solution, err := puzzle.Generate(puzzle.Spec{Width: 6, Height: 6, Colours: 7, Seed: 1})
	if err != nil {
		panic(err)
	}
	var results []Result
	for _, j := range probes(p, solution) {
		r, err := Do(context.Background(), p, j, Sitting{})
		if err != nil {
			panic(fmt.Sprintf("probe %s: %v", j.Kind, err))
		}
		r.Seconds = 0
		results = append(results, r)
	}
	text, err := json.Marshal(results)
	if err != nil {
		panic(err)
	}
	return digest(text)
})

// probes are a small job of each kind.
func probes(p *puzzle.Puzzle, solution []puzzle.Placement) []Job {
	set := SetOf(p).ID()
	whole := p.Codes(solution)
	kept := append([]int{}, whole...)
	var order []int
	for cell := 18; cell < 36; cell++ {
		kept[cell] = -1
		order = append(order, cell)
	}
	worse := append([]int{}, whole...)
	worse[14], worse[15] = worse[15], worse[14]
	j := Job{Set: set, Seed: 1}
	nodes := func(n int64) Job { j := j; j.Nodes = n; return j }
	iterations := func(n int64) Job { j := j; j.Iterations = n; return j }
	return []Job{
		New(iterations(2000), &Solve{Method: "beam", Order: "comb", Width: 8}),
		New(nodes(20000), &Build{Order: "row-major@sw"}),
		New(iterations(2000), &Polish{Start: worse}),
		New(nodes(20000), &Exhaust{Board: kept, Order: order, Budget: 1, Charge: "seam", Ledger: "candidate"}),
		New(nodes(20000), &Certify{Board: worse, Cells: []int{13, 14, 15, 16, 20, 21}, Goal: "better"}),
	}
}
