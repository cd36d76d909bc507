// Command lastmile builds, polishes and checks boards of edge-matching
// puzzles, first of all Eternity II.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/alecthomas/kong"

	"lastmile/alns/acceptance"
	"lastmile/alns/destroy"
	"lastmile/alns/repair"
	"lastmile/alns/selection"
	"lastmile/certify"
	"lastmile/certify/solver"
	"lastmile/checkpoint"
	"lastmile/construct"
	"lastmile/game/virus"
	"lastmile/ledger"
	"lastmile/puzzle"
)

// The exit status: a check that failed or a search that found nothing, and bad
// input or usage.
const (
	statusFailed = 1
	statusBad    = 2
)

type commands struct {
	Solve    solveCommand    `cmd:"" help:"Build boards and polish them: the main job."`
	Build    buildCommand    `cmd:"" help:"Build one board by a beam, greedily, or depth first."`
	Polish   polishCommand   `cmd:"" help:"Improve a board by adaptive large neighbourhood search."`
	Exhaust  exhaustCommand  `cmd:"" help:"Count every completion of part of a board within a budget of breaks, or find the best."`
	Certify  certifyCommand  `cmd:"" help:"Decide whether part of a board can be filled better, with a proof that anybody can check."`
	Cycles   cyclesCommand   `cmd:"" help:"Compare two boards by the cycles that carry the pieces of one to the other, and score what lies between."`
	Score    scoreCommand    `cmd:"" help:"Check a board and score it."`
	Convert  convertCommand  `cmd:"" help:"Rewrite a board or a puzzle in another dialect, or draw it."`
	Boards   boardsCommand   `cmd:"" help:"List the bundled boards, or those of a hunt."`
	Generate generateCommand `cmd:"" help:"Make a solvable puzzle from a seed."`
	Census   censusCommand   `cmd:"" help:"Count pieces, pairs and 2x2 blocks of a puzzle, or the small moves of a board."`
	Hunt     huntCommand     `cmd:"" help:"Let many machines work for weeks, and keep every board."`
	Virus    virusCommand    `cmd:"" help:"Play and search the game of virus, and Ataxx."`
	Lab      labCommand      `cmd:"" help:"Open the lab in a browser, where the searches can be watched and tried, or write it as static files."`
	Study    studyCommand    `cmd:"" help:"Re-run a published claim and say whether it holds."`
	Version  versionCommand  `cmd:"" help:"Print the version."`
}

// terminal is where a command reads and writes, and what it is interrupted by.
type terminal struct {
	in       io.Reader
	out, err io.Writer
	listen   func() (context.Context, func())
}

// write writes a result to a file, whole or not at all, or to standard output
// when path is empty.
func (t *terminal) write(path string, data []byte) error {
	if path == "" || path == "-" {
		_, err := t.out.Write(data)
		return err
	}
	if err := checkpoint.WriteFile(path, data); err != nil {
		return badf("--out: %w", err)
	}
	return nil
}

func main() {
	// A reader that has gone must not end a search: the write fails instead.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(run(os.Args[1:], &terminal{os.Stdin, os.Stdout, os.Stderr, listen}))
}

// listen returns a context that the first signal to stop ends. A search begins
// to listen when it begins to search, so that a signal ends the reading of its
// input as it ends any program. Signals often come in twos, to a process and
// to its group, so those that follow at once are the same one; a later one ends
// the program whatever it is doing. A signal that the program was started to
// ignore, as nohup and a shell's & do, stays ignored.
func listen() (context.Context, func()) {
	var heard []os.Signal
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			heard = append(heard, s)
		}
	}
	if len(heard) == 0 { // none given would mean all
		return context.WithCancel(context.Background())
	}
	ctx, stop := signal.NotifyContext(context.Background(), heard...)
	context.AfterFunc(ctx, func() { time.AfterFunc(2*time.Second, stop) })
	return ctx, stop
}

// bad marks an error as one of the user's input.
type bad struct{ error }

func (b bad) Unwrap() error { return b.error }

// badf makes such an error.
func badf(format string, values ...any) error { return bad{fmt.Errorf(format, values...)} }

// errFailed ends a command whose check failed after it has said so.
var errFailed = errors.New("a check failed")

// run executes one command line and returns its exit status.
func run(args []string, t *terminal) (status int) {
	type exit int
	bare := len(args) == 0 // shows the help, and is no use of the command
	defer func() {
		if r := recover(); r != nil {
			code, ok := r.(exit)
			if !ok {
				panic(r)
			}
			status = int(code)
			if bare {
				status = statusBad
			}
		}
	}()
	parser, err := kong.New(&commands{},
		kong.Name("lastmile"),
		kong.Description("Builds, polishes and checks boards of edge-matching puzzles.\n\n"+
			"A BOARD is a file, - for standard input, a link or text in any dialect, or the name of a bundled board."),
		kong.Writers(t.out, t.err),
		kong.Exit(func(code int) { panic(exit(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Vars{
			"orders":   strings.Join(construct.OrderNames(), ", "),
			"dialects": strings.Join(dialectNames(), ", "),

			"operators":   strings.Join(destroy.Names(), ", "),
			"portfolio":   portfolio(),
			"repairs":     strings.Join(repair.Names(), ", "),
			"repair":      repair.Default,
			"selections":  strings.Join(selection.Names(), ", "),
			"selection":   selection.Default,
			"acceptances": strings.Join(acceptance.Names(), ", "),
			"acceptance":  acceptance.Default,

			"exhaust_orders": strings.Join(ledger.OrderNames(), ", "),
			"ledgers":        strings.Join(ledger.ModeNames, ", "),
			"charges":        strings.Join(ledger.ChargeNames, ", "),
			"conditions":     strings.Join(ledger.ConditionNames(), ", "),
			"metrics":        strings.Join(puzzle.MetricNames, ", "),

			"goals":   strings.Join(certify.GoalNames, ", "),
			"engines": strings.Join(engineNames, ", "),
			"solvers": strings.Join(solver.Names(), ", "),

			"strong": virus.Strong.String(),
		},
		defaults(),
		kong.TypeMapper(reflect.TypeFor[[]string](), kong.MapperFunc(list)),
		kong.Bind(t),
	)
	if err != nil {
		fmt.Fprintln(t.err, "lastmile:", err)
		return statusFailed
	}
	hide(parser.Model.Node)
	switch {
	case bare:
		args = []string{"--help"}
	case args[0] == "help":
		args = append(args[1:], "--help")
	case args[0] == "--version":
		args[0] = "version"
	}
	command, err := parser.Parse(joined(args))
	if err != nil {
		fmt.Fprintf(t.err, "lastmile: %s; lastmile --help tells more\n", oneLine(err))
		return statusBad
	}
	if err = check(command); err == nil {
		err = command.Run()
	}
	switch b := (bad{}); {
	case err == nil:
		return 0
	case errors.Is(err, errFailed):
		return statusFailed
	case errors.As(err, &b):
		fmt.Fprintln(t.err, "lastmile:", oneLine(err))
		return statusBad
	default:
		fmt.Fprintln(t.err, "lastmile:", oneLine(err))
		return statusFailed
	}
}

// list reads the values of a flag that takes several, or all arguments that are
// left. Unlike the reader that kong has for them it keeps those that are empty, for
// check to refuse.
func list(ctx *kong.DecodeContext, target reflect.Value) error {
	if ctx.Value.Flag == nil {
		for ctx.Scan.Peek().IsValue() {
			target.Set(reflect.Append(target, reflect.ValueOf(fmt.Sprint(ctx.Scan.Pop().Value))))
		}
		return nil
	}
	var text string
	if err := ctx.Scan.PopValueInto("list", &text); err != nil {
		return err
	}
	for part := range strings.SplitSeq(text, ",") {
		target.Set(reflect.Append(target, reflect.ValueOf(strings.TrimSpace(part))))
	}
	return nil
}

// joined puts a negative number and the flag before it in one argument: else it
// would be taken for a flag, and not be refused for what it is.
//
// A position whose first square is a gap would be taken for flags too. It goes to
// the end, after the -- that ends them.
func joined(args []string) []string {
	var all, positions []string
	for i, arg := range args {
		if args[0] == "virus" && gapFirst.MatchString(arg) { // elsewhere -o/a/path is a flag
			if i > 0 && args[i-1] == "--fen" {
				all[len(all)-1] += "=" + arg
			} else {
				positions = append(positions, arg)
			}
			continue
		}
		negative := len(arg) > 1 && arg[0] == '-' && (strings.Contains(".0123456789", arg[1:2]) || strings.EqualFold(arg, "-inf"))
		if negative && i > 0 && len(args[i-1]) > 2 && strings.HasPrefix(args[i-1], "--") && !strings.Contains(args[i-1], "=") {
			all[len(all)-1] += "=" + arg
		} else {
			all = append(all, arg)
		}
	}
	if len(positions) > 0 {
		all = append(append(all, "--"), positions...)
	}
	return all
}

// gapFirst matches a position that begins with a gap.
var gapFirst = regexp.MustCompile(`^-[^-=/ ]?[^=/ ]*/`)

// hide leaves flags out of the help of the commands that refuse them: they have
// them from the bounds that all searches share.
func hide(root *kong.Node) {
	refused := map[string]string{"polish": "nodes", "build": "iterations", "exhaust": "iterations"}
	for _, command := range root.Children {
		for _, f := range command.Flags {
			f.Hidden = f.Hidden || f.Name == refused[command.Name]
		}
	}
}

// check refuses flags that were given and would be taken for not given: those of
// an empty value, as a script passes them on from a variable that is not set,
// and those marked positive that are 0.
func check(command *kong.Context) error {
	for _, p := range command.Path {
		if p.Positional != nil && p.Positional.Target.Kind() == reflect.String && p.Positional.Target.IsZero() {
			return badf("<%s>: an empty argument, want a value or none", p.Positional.Name)
		}
		f := p.Flag
		if f == nil {
			continue
		}
		empty := false
		switch v := f.Target.Interface().(type) {
		case string:
			empty = v == ""
		case []string:
			empty = slices.Contains(v, "")
		case []int:
			empty = len(v) == 0
		}
		switch {
		case empty:
			return badf("--%s: an empty value, want %s", f.Name, f.FormatPlaceHolder())
		case f.Tag.Has("positive") && f.Target.IsZero():
			return badf("--%s %v, want more than 0, or no such flag", f.Name, f.Target.Interface())
		}
	}
	return nil
}

// oneLine is the text of an error, fit for a terminal.
func oneLine(err error) string { return printable(err.Error()) }

// printable replaces what could steer a terminal: control characters, and
// bytes that are no text.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, strings.ToValidUTF8(s, "?"))
}
