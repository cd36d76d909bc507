package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"lastmile/game"
	"lastmile/game/match"
	"lastmile/game/virus"
)

type virusPlayCommand struct {
	virusBoardFlags
	Side string `default:"x" placeholder:"x|o|none" help:"Your side; x begins. With none the engine plays against itself. Default: x."`
	virusEffort
	Settings string `default:"${strong}" placeholder:"SETTINGS" help:"How the engine searches: what differs from plain alpha-beta with a table, or plain."`
	Plies    int    `help:"Begin with so many random plies."`
	Seed     uint64 `default:"1" help:"Seed of the random plies."`
}

// Help tells what can be said in a game.
func (*virusPlayCommand) Help() string { return "In a game: " + dialogueHelp + "." }

const dialogueHelp = "a move, such as g2, or a7c5 for a jump of Ataxx; hint, a move that the engine would make; " +
	"undo, to take back your last move; new, to begin again; swap, to exchange sides with the engine; " +
	"level N, time D or nodes N, to bound its search by plies, a duration or nodes; fen, the position in writing; " +
	"help, this; quit"

// dialogue is a game in a terminal.
type dialogue struct {
	t        *terminal
	in       *bufio.Reader
	out      *bufio.Writer // remembers that writing failed
	echo     bool          // show what was read: it does not come from a terminal
	search   *game.Search
	limit    game.Limit
	start    virus.Position
	openings *match.Openings // of the games; nil where they begin from the start
	user     string          // x, o or none
	turns    []turn
}

// turn is a position and the move that led to it.
type turn struct {
	position virus.Position
	move     virus.Move
	moved    bool
}

func (c *virusPlayCommand) Run(t *terminal) error {
	d := &dialogue{t: t, in: bufio.NewReader(t.in), out: bufio.NewWriter(t.out), user: c.Side}
	if !slices.Contains([]string{"x", "o", "none"}, c.Side) {
		return badf("--side %s, want x, o or none", c.Side)
	}
	settings, err := game.ParseSettings(c.Settings)
	if err != nil {
		return badf("--settings: %w", err)
	}
	if err := tablesFit(1, settings); err != nil {
		return err
	}
	if d.search, err = game.New(settings); err != nil {
		return badf("--settings: %w", err)
	}
	if d.limit, err = c.limit(game.Limit{Hard: time.Second}); err != nil {
		return err
	}
	if d.start, err = c.start(); err != nil {
		return err
	}
	switch {
	case c.Plies < 0 || c.Plies > match.MaxPlies:
		return badf("--plies %d, want 0 to %d", c.Plies, match.MaxPlies)
	case c.Plies > 0:
		if d.openings, err = match.NewOpenings(d.start, c.Plies, c.Seed); err != nil {
			return bad{err}
		}
	}
	f, isFile := t.in.(*os.File)
	d.echo = !isFile || !term.IsTerminal(int(f.Fd()))
	if err := d.begin(); err != nil {
		return err
	}
	if d.user != "none" {
		d.say("You have %s. The squares marked + are those that you can clone to; ( ) holds the last move; help lists the commands.", d.user)
	}
	err = d.play()
	return errors.Join(err, d.out.Flush())
}

// begin begins a game.
func (d *dialogue) begin() error {
	first := turn{position: d.start}
	if d.openings != nil {
		o, err := d.openings.Next()
		if err != nil {
			return bad{err}
		}
		first = turn{o.Position, o.Moves[len(o.Moves)-1], true}
		d.say("The game begins with %s.", moveTexts(o.Moves))
	}
	d.turns = []turn{first}
	d.search.Forget()
	return nil
}

func (d *dialogue) say(format string, values ...any) { fmt.Fprintf(d.out, format+"\n", values...) }

// play goes on until the user or the input ends it.
func (d *dialogue) play() error {
	for {
		p := d.position()
		over, quit := p.Over(), false
		var err error
		switch {
		case over:
			d.draw(false)
			d.say("%s", ending(&p))
			if d.user == "none" {
				return nil
			}
			quit, err = d.ask()
		case p.MustPass():
			d.say("%s cannot move and passes.", sideOf(&p))
			d.move(virus.Pass)
		case sideOf(&p) == d.user:
			d.draw(true)
			quit, err = d.ask()
		default:
			quit, err = d.answer()
		}
		if quit || err != nil {
			return err
		}
		if err := d.out.Flush(); err != nil {
			return err
		}
	}
}

func (d *dialogue) position() virus.Position { return d.turns[len(d.turns)-1].position }

func (d *dialogue) move(m virus.Move) {
	p := d.position()
	d.turns = append(d.turns, turn{p.Play(m), m, true})
}

// answer lets the engine move.
func (d *dialogue) answer() (quit bool, err error) {
	p := d.position()
	if d.user == "none" {
		d.draw(false)
	}
	r, stopped, err := d.think()
	if stopped || err != nil {
		return stopped, err
	}
	d.say("%s plays %v (%s).", sideOf(&p), virus.Move(r.Move), judgement(&r))
	d.move(virus.Move(r.Move))
	return false, nil
}

// think searches the position. A signal ends the game.
func (d *dialogue) think() (r game.Result, stopped bool, err error) {
	if err := d.out.Flush(); err != nil {
		return r, false, err
	}
	ctx, stop := d.t.listen()
	defer stop()
	r, err = d.search.Run(ctx, virus.NewBoard(d.position(), nil), d.limit, nil)
	if stopped = ctx.Err() != nil; stopped {
		fmt.Fprintln(d.t.err, "stopped")
	}
	return r, stopped, err
}

// judgement is what a search says of a position.
func judgement(r *game.Result) string {
	v, win := r.Value, virus.DefaultWeights.Win
	margin := ""
	switch {
	case win > 0 && v > win:
		margin = fmt.Sprintf("won by %d", (v-win)/virus.Stone)
	case win > 0 && -v > win:
		margin = fmt.Sprintf("lost by %d", (-v-win)/virus.Stone)
	default:
		margin = fmt.Sprintf("%+.1f stones", float64(v)/float64(virus.Stone))
	}
	return fmt.Sprintf("%s, depth %d, %s nodes", margin, r.Depth, thousands(r.Nodes))
}

// ask reads commands until one of them changes the game, or ends it.
func (d *dialogue) ask() (quit bool, err error) {
	for {
		line, err := d.read()
		switch {
		case errors.Is(err, io.EOF):
			return true, nil
		case errors.Is(err, errLongLine):
			d.say("%v", err)
			continue
		case err != nil:
			return true, err
		}
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		what, err := d.obey(words[0], words[1:])
		switch {
		case err != nil:
			d.say("%s", oneLine(err))
		case what == quits:
			return true, nil
		case what == changes:
			return false, nil
		}
	}
}

var errLongLine = fmt.Errorf("a line of more than %d characters, want a command; help lists them", longestLine)

const longestLine = 1000

// read asks for a line.
func (d *dialogue) read() (string, error) {
	fmt.Fprint(d.out, "> ")
	if err := d.out.Flush(); err != nil {
		return "", err
	}
	var line []byte
	long := false
	for {
		part, more, err := d.in.ReadLine()
		if err != nil {
			d.say("")
			return "", err
		}
		if long = long || len(line)+len(part) > longestLine; !long {
			line = append(line, part...)
		}
		if !more {
			break
		}
	}
	text := string(line)
	if d.echo {
		d.say("%s", printable(text))
	}
	if long {
		return "", errLongLine
	}
	return text, nil
}

// effect is what a command does to the game.
type effect int

const (
	nothing effect = iota
	changes
	quits
)

// obey does what a command says.
func (d *dialogue) obey(name string, arguments []string) (effect, error) {
	p := d.position()
	takes := 0
	if name == "level" || name == "time" || name == "nodes" {
		takes = 1
	}
	if len(arguments) > takes {
		return nothing, fmt.Errorf("%q after %s, want nothing; help lists the commands", clipped(arguments[takes]), clipped(name))
	}
	argument := strings.Join(arguments, " ")
	switch name {
	case "quit":
		return quits, nil
	case "help":
		d.say("%s.", strings.ReplaceAll(dialogueHelp, "; ", ";\n"))
	case "fen":
		d.say("%s", p.FEN())
	case "new":
		return changes, d.begin()
	case "undo":
		return changes, d.undo()
	case "swap":
		d.user = map[string]string{"x": "o", "o": "x"}[d.user]
		d.say("You have %s now.", d.user)
		return changes, nil
	case "hint":
		return d.hint()
	case "level", "time", "nodes":
		return nothing, d.bound(name, argument)
	default:
		m, err := p.ParseMove(clipped(name))
		switch {
		case p.Over():
			return nothing, fmt.Errorf("%s: the game is over; new begins another, undo takes back", clipped(name))
		case err != nil:
			return nothing, fmt.Errorf("%w; help lists the commands", err)
		}
		d.move(m)
		return changes, nil
	}
	return nothing, nil
}

// hint shows a move that the engine would make.
func (d *dialogue) hint() (effect, error) {
	r, stopped, err := d.think()
	switch {
	case err != nil:
		return nothing, err
	case stopped:
		return quits, nil
	}
	d.say("%v (%s)", virus.Move(r.Move), judgement(&r))
	return nothing, nil
}

// undo takes back the last move of the user, and what has come after it.
func (d *dialogue) undo() error {
	for i := len(d.turns) - 2; i >= 0; i-- {
		if p := d.turns[i].position; sideOf(&p) == d.user && !p.MustPass() {
			d.turns = d.turns[:i+1]
			return nil
		}
	}
	return fmt.Errorf("undo: there is no move of %s to take back", d.user)
}

// bound bounds the search of a move anew.
func (d *dialogue) bound(name, value string) error {
	switch name {
	case "level":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > game.MaxDepth {
			return fmt.Errorf("level %q, want a depth of 1 to %d plies", clipped(value), game.MaxDepth)
		}
		d.limit = game.Limit{Depth: n}
		d.say("The engine searches %s deep now.", plies(n))
	case "nodes":
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < 1 {
			return fmt.Errorf("nodes %q, want 1 or more", clipped(value))
		}
		d.limit = game.Limit{Nodes: n}
		d.say("The engine searches %s nodes now.", thousands(n))
	default:
		t, err := time.ParseDuration(value)
		if err != nil || t <= 0 {
			return fmt.Errorf("time %q, want a positive duration such as 500ms or 2s", clipped(value))
		}
		d.limit = game.Limit{Hard: t}
		d.say("The engine searches for %v now.", t)
	}
	return nil
}

func plies(n int) string {
	if n == 1 {
		return "1 ply"
	}
	return fmt.Sprintf("%d plies", n)
}

// clipped shortens what somebody has typed, to be shown.
func clipped(text string) string {
	if len(text) > 40 {
		return text[:40] + "..."
	}
	return text
}

func sideOf(p *virus.Position) string {
	if p.XToMove() {
		return "x"
	}
	return "o"
}

// ending tells how a game has ended.
func ending(p *virus.Position) string {
	x, o := p.Stones()
	margin := x.Count() - o.Count()
	text := fmt.Sprintf("The game is over, x %d and o %d: ", x.Count(), o.Count())
	switch {
	case margin != 0 && p.Result() == 0:
		return text + "a draw, after so many half-moves without a clone."
	case margin > 0:
		return text + fmt.Sprintf("x wins by %d.", margin)
	case margin < 0:
		return text + fmt.Sprintf("o wins by %d.", -margin)
	}
	return text + "a draw."
}

func moveTexts(moves []virus.Move) string {
	texts := make([]string, len(moves))
	for i, m := range moves {
		texts[i] = m.String()
	}
	return strings.Join(texts, " ")
}

// draw draws the board with its files and ranks, the last move in parentheses,
// and + where the side to move can clone to, if hints are wanted.
func (d *dialogue) draw(hints bool) {
	last := d.turns[len(d.turns)-1]
	p := last.position
	x, o := p.Stones()
	var clones, marked virus.Squares
	if hints {
		for _, m := range p.Moves(nil) {
			if m != virus.Pass && !m.IsJump() {
				clones |= 1 << m.To()
			}
		}
	}
	if last.moved && last.move != virus.Pass {
		marked = 1 << last.move.To()
	}
	width, height := p.Size()
	files := "   "
	for f := range width {
		files += " " + string(rune('a'+f))
	}
	d.say("\n%s", files)
	for r := height - 1; r >= 0; r-- {
		line := fmt.Sprintf("%3d", r+1)
		before := " " // between two squares
		for f := range width {
			bit := virus.Squares(1) << (8*r + f)
			after, c := " ", "."
			switch {
			case x&bit != 0:
				c = "x"
			case o&bit != 0:
				c = "o"
			case p.Squares()&bit == 0:
				c = " "
			case clones&bit != 0:
				c = "+"
			}
			if marked&bit != 0 {
				before, after = "(", ")"
			}
			line += before + c
			before = after
		}
		d.say("%s%s%d", line, before, r+1)
	}
	d.say("%s", files)
	toMove := sideOf(&p) + " to move; "
	if p.Over() {
		toMove = ""
	}
	d.say("%sx %d, o %d, %d empty", toMove, x.Count(), o.Count(), p.Empty().Count())
}
