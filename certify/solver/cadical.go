package solver

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"lastmile/certify"
	"lastmile/certify/cnf"
)

// Cadical runs the program of that name. The formula goes to its standard input;
// proof and model come back through pipes of their own while it runs, so nothing
// is written to disk and a slow reader of the proof slows the search. The
// program ends with the context, and with every process that it started.
//
// Limits.Memory bounds its address space.
type Cadical struct {
	path    string
	version string
	options []string
}

// cadicalOptions are what pays on unsatisfiable formulas of regions. Without
// chronological backtracking they take a quarter to a third less time.
var cadicalOptions = []string{"--unsat", "--chrono=0"}

// FindCadical returns the solver at a path, or of that name in PATH. Options of
// the caller come after those that the solver is always given, and win.
func FindCadical(path string, options ...string) (*Cadical, error) {
	found, err := exec.LookPath(path)
	if err != nil {
		return nil, fmt.Errorf("%s is not installed (Debian: apt-get install cadical); gophersat needs nothing", path)
	}
	if err := canRunCadical(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	ask := exec.CommandContext(ctx, found, "--version")
	ask.WaitDelay = time.Second
	said, err := ask.Output()
	version := strings.Fields(string(said))
	if err != nil || len(version) == 0 {
		return nil, fmt.Errorf("%s does not tell its version, as cadical does; gophersat needs nothing", found)
	}
	return &Cadical{path: found, version: version[0], options: slices.Concat(cadicalOptions, options)}, nil
}

// Name is cadical and the version that it tells; Debian's tells a name.
func (c *Cadical) Name() string { return "cadical " + c.version }

// Its exit statuses.
const (
	exitUnknown       = 0
	exitSatisfiable   = 10
	exitUnsatisfiable = 20
)

// Solve decides the formula; see certify.Solver.
func (c *Cadical) Solve(ctx context.Context, f *cnf.Formula, proof io.Writer, limits certify.Limits) (certify.Answer, error) {
	if ctx.Err() != nil {
		return stopped(ctx), nil
	}
	within, cancel := context.WithCancel(ctx)
	defer cancel()

	// The first extra file is 3 to the program.
	model, toModel, err := os.Pipe()
	if err != nil {
		return certify.Answer{}, err
	}
	defer model.Close()
	defer toModel.Close()
	steps, toSteps, err := os.Pipe()
	if err != nil {
		return certify.Answer{}, err
	}
	defer steps.Close()
	defer toSteps.Close()

	args := slices.Concat([]string{"-q"}, c.options, []string{"-w", "/dev/fd/3", "-", "/dev/fd/4"})
	cmd := bounded(within, limits.Memory, c.path, args...)
	cmd.ExtraFiles = []*os.File{toModel, toSteps}
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "CADICAL_") })
	said := &tail{}
	cmd.Stdout, cmd.Stderr = said, said
	cmd.WaitDelay = time.Second // for the pipes, once the program has ended
	alone(cmd)
	formula, err := cmd.StdinPipe()
	if err != nil {
		return certify.Answer{}, err
	}
	if err := cmd.Start(); err != nil {
		return certify.Answer{}, fmt.Errorf("starting %s: %w", c.path, err)
	}
	toModel.Close()
	toSteps.Close()

	// A process that left the group could keep the pipes open after the end.
	defer context.AfterFunc(within, func() {
		model.Close()
		steps.Close()
	})()

	given := make(chan bool)
	go func() { // a program that does not read to the end has its reasons
		bare := *f
		bare.Comments = nil // it would read options there
		bare.WriteTo(formula)
		formula.Close()
		close(given)
	}()
	copied := make(chan error, 1)
	go func() {
		_, err := io.Copy(proof, steps)
		if err != nil {
			cancel() // nobody takes the proof
		}
		copied <- err
	}()
	values := make(chan []byte, 1)
	go func() {
		// A value takes 12 bytes at most, and its share of a "v" and a line's end.
		text, _ := io.ReadAll(io.LimitReader(model, 4096+16*int64(f.Vars)))
		io.Copy(io.Discard, model)
		values <- text
	}()

	ended := cmd.Wait()
	end(cmd) // what the program leaves behind would keep the pipes open
	answer := <-values
	err = <-copied
	<-given
	code := cmd.ProcessState.ExitCode()
	switch {
	case ctx.Err() != nil:
		return stopped(ctx), nil
	case err != nil:
		return certify.Answer{}, proofError(err)
	case code == exitUnsatisfiable:
		return certify.Answer{Status: certify.Unsatisfiable}, nil
	case code == exitSatisfiable:
		m, err := parseModel(answer, f.Vars)
		if err != nil {
			return certify.Answer{}, fmt.Errorf("%s says that the formula is satisfiable, but %w", c.path, err)
		}
		return certify.Answer{Status: certify.Satisfiable, Model: m}, nil
	case code == exitUnknown:
		return certify.Answer{Why: "cadical gave up"}, nil
	case limits.Memory > 0 && said.hasMemory():
		return certify.Answer{Why: "memory"}, nil
	}
	return certify.Answer{}, fmt.Errorf("%s failed: %w, saying %q", c.path, ended, bytes.TrimSpace(said.text))
}

// parseModel reads "s SATISFIABLE" and lines "v 1 -2 ... 0", a value for each
// variable.
func parseModel(text []byte, vars int) ([]bool, error) {
	model, given := make([]bool, vars), make([]bool, vars)
	count := 0
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		line, isValues := strings.CutPrefix(lines.Text(), "v ")
		if !isValues {
			continue
		}
		for word := range strings.FieldsSeq(line) {
			l, err := strconv.Atoi(word)
			v := max(l, -l)
			switch {
			case err != nil || l < -vars || l > vars:
				return nil, fmt.Errorf("its model holds %q: want values of variables 1 to %d", word, vars)
			case l == 0:
				continue
			case given[v-1]:
				return nil, fmt.Errorf("its model gives variable %d twice", v)
			}
			model[v-1], given[v-1] = l > 0, true
			count++
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("its model cannot be read: %w", err)
	}
	if count < vars {
		return nil, fmt.Errorf("its model gives %d variables of %d", count, vars)
	}
	return model, nil
}

// tail keeps the last words of a program.
type tail struct{ text []byte }

func (t *tail) Write(p []byte) (int, error) {
	const most = 1024
	t.text = append(t.text, p[max(0, len(p)-most):]...)
	t.text = slices.Delete(t.text, 0, max(0, len(t.text)-most))
	return len(p), nil
}

// hasMemory tells whether they are about memory: those of cadical, of the
// exception that it does not catch, or of the linker when not even it fits.
func (t *tail) hasMemory() bool {
	words := strings.ToLower(string(t.text))
	return slices.ContainsFunc([]string{"memory", "bad_alloc", "failed to map segment"}, func(w string) bool { return strings.Contains(words, w) })
}
