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
// stream.
var methods = []struct {
	name string
	make func(p *puzzle.Puzzle, r *random.Stream, o Options) Method
}{
	{"greedy", func(p *puzzle.Puzzle, _ *random.Stream, _ Options) Method { return NewGreedy(p) }},
	{"greedy-coin", func(p *puzzle.Puzzle, r *random.Stream, _ Options) Method { return NewGreedyCoin(p, r) }},
	{"assignment", func(p *puzzle.Puzzle, r *random.Stream, _ Options) Method { return NewAssignment(p, r) }},
	{"exact", func(p *puzzle.Puzzle, r *random.Stream, o Options) Method { return NewExact(p, r, o.Nodes) }},
	{"by-hole", func(p *puzzle.Puzzle, r *random.Stream, o Options) Method { return NewByHole(p, r, o.Nodes) }},
}

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

func (o Options) withDefaults() Options {
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
	return methods[slices.Index(Names(), cmp.Or(name, Default))].make(p, r, o.withDefaults()), nil
}

// Names lists the methods.
func Names() []string {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = m.name
	}
	return names
}
