package uai

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"unicode"

	"lastmile/game"
	"lastmile/game/virus"
)

// Protocol is a language of runners.
type Protocol uint8

// The protocols.
const (
	UAI Protocol = iota
	UGI
)

// String is the word that a dialogue begins with.
func (p Protocol) String() string { return [...]string{"uai", "ugi"}[p] }

// Options say what to serve.
type Options struct {
	Protocol Protocol
	Name     string        // of the engine and its version; lastmile if there is none
	Rules    virus.Rules   // until the runner sets others
	Settings game.Settings // likewise
	MaxHash  int           // megabytes that the runner may ask for as a table; 0 for 1024
}

// Check tells what is wrong with the options.
func (o Options) Check() error {
	switch {
	case o.Protocol > UGI:
		return fmt.Errorf("protocol %d, want %d or %d", o.Protocol, UAI, UGI)
	case o.Rules > virus.Ataxx:
		return fmt.Errorf("rules %d, want %d or %d", o.Rules, virus.Virus, virus.Ataxx)
	case o.MaxHash < 0 || o.MaxHash > 1<<14:
		return fmt.Errorf("a table of %d megabytes at most, want 1 to %d, or 0 for %d", o.MaxHash, 1<<14, usualHash)
	}
	return o.Settings.Check()
}

const (
	usualHash   = 1024
	usualR      = 2
	usualMargin = 20 // ms
)

const author = "the lastmile authors"

// engine is one end of a dialogue. Only the loop of Serve touches it and writes.
type engine struct {
	o       Options
	out     io.Writer
	failed  error // of a write
	options []option

	initial, knobs knobs
	position       virus.Position
	search         *game.Search // nil if it is to be made
	fresh          bool         // forget before the next search
	job            *job         // nil if there is none
}

// Serve obeys the commands of in and writes the answers to out, one write a line,
// until it is told to quit or in ends. Then a search that runs is stopped and
// still answers. When the context ends it does the same and returns the context's
// error. A goroutine stays behind until in returns from its last read.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	if err := o.Check(); err != nil {
		return err
	}
	e := newEngine(out, o)
	err := e.converse(ctx, in)
	e.stop()
	return cmp.Or(err, e.failed)
}

// converse obeys commands until there are no more to obey.
func (e *engine) converse(ctx context.Context, in io.Reader) error {
	lines, gone := make(chan line), make(chan struct{})
	defer close(gone)
	var failure error // of a read
	go read(in, lines, gone, &failure)
	for e.failed == nil {
		var job chan said
		if e.job != nil {
			job = e.job.said
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case s := <-job:
			e.heard(s)
		case l, ok := <-lines:
			if !ok {
				return failure
			}
			if !e.obey(l) {
				return nil
			}
		}
	}
	return nil
}

func newEngine(out io.Writer, o Options) *engine {
	if o.MaxHash == 0 {
		o.MaxHash = usualHash
	}
	if o.Name == "" {
		o.Name = "lastmile"
	}
	o.Name = printable(o.Name)
	k := knobs{o.Settings, o.Rules, usualMargin}
	if k.settings.Null == game.NoNull {
		k.settings.R = usualR
	}
	o.MaxHash = max(o.MaxHash, megabytes(&k))
	return &engine{o: o, out: out, options: options(o.MaxHash), initial: k, knobs: k, position: start(o.Rules)}
}

// obey does what a line says. It returns false when the dialogue is over.
func (e *engine) obey(l line) bool {
	if l.long {
		e.refuse(fmt.Errorf("a line of more than %d bytes is skipped", maxLine))
		return true
	}
	words := strings.Fields(l.text)
	if len(words) == 0 {
		return true
	}
	verb, words := words[0], words[1:]
	var err error
	switch verb {
	case e.o.Protocol.String():
		e.say("id name %s", e.o.Name)
		e.say("id author %s", author)
		e.describe()
		e.say("%sok", verb)
	case "isready":
		err = e.prepare()
		e.say("readyok")
	case e.o.Protocol.String() + "newgame":
		e.position, e.fresh = start(e.knobs.rules), true
	case "setoption":
		err = e.setOption(words)
	case "position":
		err = e.setPosition(words)
	case "go":
		err = e.goOn(words, l.came)
	case "stop":
		e.stop()
	case "query":
		err = e.query(words)
	case "print", "d":
		e.print()
	case "eval":
		e.eval()
	case "perft":
		err = e.count(words)
	case "quit":
		return false
	default:
		p := e.o.Protocol
		e.refuse(fmt.Errorf("command %q, want %v, isready, %vnewgame, setoption, position, go, stop, query, print, eval, perft or quit", clip(verb), p, p))
		return true
	}
	if err != nil {
		e.refuse(fmt.Errorf("%s: %w", verb, err))
	}
	return true
}

// refuse says why a command has had no effect.
func (e *engine) refuse(err error) { e.say("info string error %s", printable(err.Error())) }

// say writes a line.
func (e *engine) say(format string, values ...any) {
	if e.failed == nil {
		_, e.failed = fmt.Fprintf(e.out, format+"\n", values...)
	}
}

// printable keeps a text to one line.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, strings.ToValidUTF8(text, "?"))
}

// clip shortens what somebody has sent, to be shown.
func clip(text string) string {
	if len(text) > 80 {
		return text[:80] + "..."
	}
	return text
}
