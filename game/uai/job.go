package uai

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"lastmile/game"
	"lastmile/game/virus"
)

// job is work that goes on while commands are obeyed. It writes nothing: what it
// has to say comes through the channel, the last line when it has ended.
type job struct {
	name   string
	cancel context.CancelFunc
	said   chan said
	held   bool   // the last line waits until the job is stopped
	last   string // that line, when the job has ended before
}

type said struct {
	line string
	last bool
}

// begin starts a job. Work returns its last line.
func (e *engine) begin(name string, held bool, work func(ctx context.Context, tell func(string)) string) {
	ctx, cancel := context.WithCancel(context.Background())
	j := &job{name: name, cancel: cancel, said: make(chan said), held: held}
	e.job = j
	go func() {
		defer cancel()
		last := work(ctx, func(line string) { j.said <- said{line: line} })
		j.said <- said{last, true}
	}()
}

// heard passes on what the job says.
func (e *engine) heard(s said) {
	switch {
	case !s.last:
		e.say("%s", s.line)
	case e.job.held:
		e.job.last, e.job.said = s.line, nil
	default:
		e.job = nil
		e.say("%s", s.line)
	}
}

// stop ends the job, if there is one, and waits for its last line.
func (e *engine) stop() {
	j := e.job
	if j == nil {
		return
	}
	j.cancel()
	j.held = false
	if j.said == nil {
		e.heard(said{j.last, true})
	}
	for e.job == j {
		e.heard(<-j.said)
	}
}

// busy refuses a second job.
func (e *engine) busy() error {
	if e.job == nil {
		return nil
	}
	return fmt.Errorf("a %s is running, want stop first", e.job.name)
}

// prepare makes the search ready, which takes time if its table is large.
func (e *engine) prepare() error {
	if e.job != nil {
		return nil // it may have the search
	}
	if e.search == nil {
		s, err := game.New(e.knobs.search())
		if err != nil {
			return err
		}
		e.search = s
	} else if e.fresh {
		e.search.Forget()
	}
	e.fresh = false
	return nil
}

// goOn obeys the command go, which came at that time.
func (e *engine) goOn(words []string, came time.Time) error {
	if err := e.busy(); err != nil {
		return err
	}
	r, err := parseGo(words)
	if err != nil {
		return err
	}
	limit, err := r.limit(&e.position, e.knobs.overhead())
	if err != nil {
		return err
	}
	if e.position.Over() || e.position.MustPass() {
		e.say("bestmove %v", virus.Pass)
		return nil
	}
	if err := e.prepare(); err != nil {
		return err
	}
	if limit.Hard > 0 {
		spent := time.Since(came)
		limit.Soft, limit.Hard = max(limit.Soft-spent, least), max(limit.Hard-spent, least)
	}
	search, board := e.search, virus.NewBoard(e.position, nil)
	e.begin("search", !r.bounded(), func(ctx context.Context, tell func(string)) string {
		r, err := search.Run(ctx, board, limit, func(r game.Result) { tell(report(r)) })
		if err != nil { // the limit and the position have been looked at before
			return "bestmove " + virus.Pass.String()
		}
		if r.Stopped && r.Depth > 0 {
			tell(report(r))
		}
		return "bestmove " + virus.Move(r.Move).String()
	})
	return nil
}

// count obeys the command perft.
func (e *engine) count(words []string) error {
	if err := e.busy(); err != nil {
		return err
	}
	depth, err := 0, error(nil)
	if len(words) == 1 {
		depth, err = strconv.Atoi(words[0])
	}
	if err != nil || depth < 1 || depth > game.MaxDepth {
		return fmt.Errorf("%q, want a depth, 1 to %d", clip(strings.Join(words, " ")), game.MaxDepth)
	}
	p, began := e.position, time.Now()
	e.begin("perft", false, func(ctx context.Context, _ func(string)) string {
		n, err := virus.PerftContext(ctx, p, depth)
		if err != nil {
			return "info string perft stopped"
		}
		ms := time.Since(began).Milliseconds()
		return fmt.Sprintf("info depth %d nodes %d time %d nps %d", depth, n, ms, perSecond(n, ms))
	})
	return nil
}
