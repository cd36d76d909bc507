// Package job says what a machine of a hunt is asked to do, and does it.
//
// A job is bounded by counts, never by time: wherever it is done, in one sitting
// or in several on several machines, it comes to the same result. So a job that
// was done twice by accident was done once, and its name, made of its content, is
// all that is needed to tell.
package job

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"lastmile/puzzle"
	"lastmile/search"
)

// Protocol is the version of jobs and results as they travel. A program of
// another version can take no part in a hunt.
const Protocol = 1

// Job is a piece of work, in a form that JSON carries exactly.
type Job struct {
	Kind   string             `json:"kind"`            // a name of Kinds
	Set    string             `json:"set"`             // the name of the piece set, see Set.ID
	Clues  []puzzle.Placement `json:"clues,omitempty"` // that boards must hold
	Seed   uint64             `json:"seed"`            // of the campaign
	Stream int                `json:"stream"`          // the number of the job in its campaign

	// What bounds the job; a kind says which of them it wants.
	Nodes      int64 `json:"nodes,omitempty"`
	Iterations int64 `json:"iterations,omitempty"`

	Parameters json.RawMessage `json:"parameters"` // of the kind
}

// New makes a job of its parameters.
func New(j Job, w Work) Job {
	text, err := json.Marshal(w)
	if err != nil {
		panic(err) // numbers and names
	}
	j.Kind, j.Parameters = w.kind(), text
	return j
}

// ID is the name of the job: 32 hexadecimal digits made of all that it says.
func (j Job) ID() string {
	text, err := json.Marshal(j)
	if err != nil {
		panic(err)
	}
	return digest(text)
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// Work is the parameters of a kind of job, and what it does.
type Work interface {
	kind() string
	// check tells what is wrong with the job before it is begun.
	check(p *puzzle.Puzzle, j Job) error
	// do works on it until it is done, and returns errStopped when the context
	// ended it before.
	do(ctx context.Context, p *puzzle.Puzzle, j Job, s Sitting) (Result, error)
	// command is the command line that does the same, as far as there is one.
	command(j Job) string
}

var kinds = []func() Work{
	func() Work { return new(Solve) },
	func() Work { return new(Build) },
	func() Work { return new(Polish) },
	func() Work { return new(Exhaust) },
	func() Work { return new(Certify) },
}

// Kinds are the names of the kinds of jobs.
func Kinds() []string {
	var names []string
	for _, k := range kinds {
		names = append(names, k().kind())
	}
	return names
}

// Work reads the parameters of the job.
func (j Job) Work() (Work, error) {
	for _, k := range kinds {
		w := k()
		if w.kind() != j.Kind {
			continue
		}
		if err := json.Unmarshal(j.Parameters, w); err != nil {
			return nil, fmt.Errorf("parameters of a job of kind %s: %w", j.Kind, err)
		}
		return w, nil
	}
	return nil, fmt.Errorf("a job of kind %q, want one of %s", j.Kind, strings.Join(Kinds(), ", "))
}

// Check tells what is wrong with a job on a puzzle that has its clues.
func (j Job) Check(p *puzzle.Puzzle) error {
	w, err := j.Work()
	if err != nil {
		return err
	}
	if j.Nodes < 0 || j.Iterations < 0 {
		return fmt.Errorf("a job of %d nodes and %d iterations, want 0 or more", j.Nodes, j.Iterations)
	}
	return w.check(p, j)
}

// Command is the command line that makes the board of the job again, for people;
// empty where there is none.
func (j Job) Command() string {
	w, err := j.Work()
	if err != nil {
		return ""
	}
	return w.command(j)
}

// Saves tells whether the job saves what a later sitting can go on from.
func (j Job) Saves() bool { return j.Kind != (*Build)(nil).kind() }

// Sitting is one go at a job.
type Sitting struct {
	Saved []byte          // what an earlier sitting has saved last, nil to begin
	Save  func([]byte)    // takes what a later sitting needs; never called twice at once
	Every time.Duration   // between two calls of Save
	Watch search.Observer // nobody by default
}

// ErrStopped says that the context ended before the job was done.
var ErrStopped = errors.New("stopped before the job was done")

// errSaved marks an error of what an earlier sitting has saved.
var errSaved = errors.New("what was saved is damaged")

// Do does a job on a puzzle that has its clues. What was saved and cannot be read
// is as if it were not there: the job begins anew.
func Do(ctx context.Context, p *puzzle.Puzzle, j Job, s Sitting) (Result, error) {
	if err := j.Check(p); err != nil {
		return Result{}, err
	}
	w, err := j.Work()
	if err != nil {
		return Result{}, err
	}
	if s.Save == nil {
		s.Save = func([]byte) {}
	}
	if s.Every == 0 {
		s.Every = 30 * time.Second
	}
	if s.Watch == nil {
		s.Watch = search.Nobody
	}
	began := time.Now()
	r, err := w.do(ctx, p, j, s)
	if errors.Is(err, errSaved) {
		s.Saved = nil
		r, err = w.do(ctx, p, j, s)
	}
	if err != nil {
		return Result{}, err
	}
	r.Protocol, r.Job, r.Seconds = Protocol, j.ID(), time.Since(began).Seconds()
	return r, nil
}

// load reads what an earlier sitting has saved.
func load(s Sitting, state any) error {
	if s.Saved == nil {
		return nil
	}
	if err := json.Unmarshal(s.Saved, state); err != nil {
		return fmt.Errorf("%w: %w", errSaved, err)
	}
	return nil
}

// blame says of an error of a search that went on from a saved state that the
// state is what is wrong: the rest has been checked before.
func blame(s Sitting, err error) error {
	if err != nil && s.Saved != nil {
		return fmt.Errorf("%w: %w", errSaved, err)
	}
	return err
}

// save hands a state on as it is saved.
func save[T any](s Sitting) func(T) {
	return func(state T) {
		text, err := json.Marshal(state)
		if err != nil {
			panic(err)
		}
		s.Save(text)
	}
}

// flags are those that say which puzzle, clues and seed a command is for.
func (j Job) flags() string {
	official, _ := puzzle.CluesNamed("five")
	starter, _ := puzzle.CluesNamed("starter")
	clues := "all"
	switch {
	case len(j.Clues) == 0:
		clues = "none"
	case slices.Equal(j.Clues, official):
		clues = "five"
	case slices.Equal(j.Clues, starter):
		clues = "starter"
	}
	text := fmt.Sprintf("--clues %s --seed %d", clues, j.Seed)
	if j.Set != Official {
		text = "--puzzle PUZZLE " + text
	}
	return text
}
