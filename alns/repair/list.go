package repair

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"lastmile/puzzle"
	"lastmile/random"
)

// methods are the methods by name. A new one is one file beside this one and
// one line here. Each is for boards of one puzzle and draws from the given
// stream; slow is how many times as long as greedy it may take for a hole.
var methods = []struct {
	name string
	make func(p *puzzle.Puzzle, r *random.Stream, o Options) Method
	slow func(o Options) int64
}{
	{"greedy", func(p *puzzle.Puzzle, _ *random.Stream, _ Options) Method { return NewGreedy(p) }, times(1)},
	{"greedy-coin", func(p *puzzle.Puzzle, r *random.Stream, _ Options) Method { return NewGreedyCoin(p, r) }, times(1)},
	{"assignment", func(p *puzzle.Puzzle, r *random.Stream, _ Options) Method { return NewAssignment(p, r) }, times(8)},
	{"exact", func(p *puzzle.Puzzle, r *random.Stream, o Options) Method { return NewExact(p, r, o.Nodes) }, func(o Options) int64 { return 1 + o.Nodes/8 }},
	{"by-hole", func(p *puzzle.Puzzle, r *random.Stream, o Options) Method { return NewByHole(p, r, o.Nodes) }, times(16)},
}

func times(n int64) func(Options) int64 { return func(Options) int64 { return n } }

// Default is the method of the page.
const Default = "greedy"

// Options tune the methods. The zero value of a field asks for its default.
type Options struct {
	Nodes int64 // that the exact repair of one hole may take, default 2000
}

// Check tells what is wrong with a name or its options.
func Check(name string, o Options) error {
	switch {
	case o.Nodes < 0:
		return fmt.Errorf("%d nodes for a repair, want 1 or more", o.Nodes)
	case name != "" && !slices.Contains(Names(), name):
		return fmt.Errorf("repair %q, want one of %s", name, strings.Join(Names(), ", "))
	}
	return nil
}

// WithDefaults is the options with the defaults in place of zeros.
func (o Options) WithDefaults() Options {
	if o.Nodes == 0 {
		o.Nodes = 2000
	}
	return o
}

// New makes the method of that name. No name asks for the default.
func New(name string, p *puzzle.Puzzle, r *random.Stream, o Options) (Method, error) {
	if err := Check(name, o); err != nil {
		return nil, err
	}
	return methods[index(name)].make(p, r, o.WithDefaults()), nil
}

// Slow is how many times as long as greedy a method may take for a hole,
// roughly: by it a search knows how often to look at the clock. The name and
// the options must have been checked.
func Slow(name string, o Options) int64 { return methods[index(name)].slow(o.WithDefaults()) }

func index(name string) int { return slices.Index(Names(), cmp.Or(name, Default)) }

// Names lists the methods.
func Names() []string {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = m.name
	}
	return names
}
