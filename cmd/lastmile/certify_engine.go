package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"lastmile/certify"
	"lastmile/ledger"
	"lastmile/search"
)

// engineNames are the ways to answer. The first is the default.
var engineNames = []string{"proof", ledgerEngine, "both"}

const ledgerEngine = "ledger"

// engine is what one engine has come to.
type engine struct {
	Name    string          `json:"name"` // the solver, or ledger
	Verdict certify.Verdict `json:"verdict"`
	Floor   int             `json:"floor"`
	Best    int             `json:"best"`
	Seconds float64         `json:"seconds"`
}

// ask puts the question to the engines that were chosen.
func (c *certifyCommand) ask(ctx context.Context, a *inquiry) (certify.Result, error) {
	each := c.Time
	if c.Engine == "both" {
		each /= 2
	}
	var res certify.Result
	if c.Engine != ledgerEngine {
		var err error
		if res, err = c.askSolver(ctx, a, each); err != nil || c.Engine != "both" {
			return res, err
		}
	}
	exhausted, err := c.askLedger(ctx, a, each)
	if err != nil || c.Engine == ledgerEngine {
		return exhausted, err
	}
	if err := a.agree(); err != nil {
		return certify.Result{}, err // and nothing is printed that may be false
	}
	return a.merged(res, exhausted), nil
}

// askSolver proves, after the solver has passed its control.
func (c *certifyCommand) askSolver(ctx context.Context, a *inquiry, each time.Duration) (certify.Result, error) {
	began := time.Now()
	if err := certify.Control(ctx, a.solver); err != nil && ctx.Err() == nil {
		return certify.Result{}, fmt.Errorf("the solver fails its control, so that it is asked nothing: %s", bare(err))
	}
	plan := certify.Plan{
		Solver: a.solver, Time: each, Memory: int64(c.Memory), MaxProof: int64(c.MaxProof), Name: a.name(),
		Watch: a.watch, From: a.from, Save: a.save,
	}
	if a.folder != nil {
		plan.Store = a.folder
	}
	res, err := certify.Decide(ctx, a.region, a.goal, plan)
	a.note(a.solver.Name(), res, began)
	return res, err
}

func (c *certifyCommand) askLedger(ctx context.Context, a *inquiry, each time.Duration) (certify.Result, error) {
	began := time.Now()
	res, err := certify.Exhaust(ctx, a.region, a.goal, ledger.Plan{
		Threads: c.Threads, Budget: search.Budget{Time: each}, Watch: a.watch.progress,
	})
	if err != nil {
		return res, badf("--engine %s: %s", c.Engine, bare(err))
	}
	a.note(ledgerEngine, res, began)
	return res, nil
}

func (a *inquiry) note(name string, res certify.Result, began time.Time) {
	a.engines = append(a.engines, engine{name, res.Verdict, res.Floor, res.Best, time.Since(began).Seconds()})
}

// agree compares what two engines say: nothing has fewer breaks than either
// floor.
func (a *inquiry) agree() error {
	x, y := a.engines[0], a.engines[1]
	if x.Floor <= y.Best && y.Floor <= x.Best {
		return nil
	}
	return fmt.Errorf("THE ENGINES CONTRADICT EACH OTHER: %s says that the best refill has %d to %d breaks, %s says %d to %d: "+
		"one of them is wrong, so believe neither, and report it with the board and these flags", x.Name, x.Floor, x.Best, y.Name, y.Floor, y.Best)
}

// merged is what two engines show together.
func (a *inquiry) merged(res, more certify.Result) certify.Result {
	if more.Floor > res.Floor {
		res.Floor, res.Steps = more.Floor, append(slices.Clone(res.Steps), more.Steps...)
	}
	if more.Best < res.Best {
		res.Best, res.Board = more.Best, more.Board
	}
	switch {
	case res.Verdict == certify.Found || more.Verdict == certify.Found:
		res.Verdict = certify.Found
	case res.Verdict == certify.Proven || more.Verdict == certify.Proven || res.Optimal():
		res.Verdict = certify.Proven
	}
	if res.Verdict == certify.Proven || res.Optimal() {
		res.Why = ""
	}
	return res
}
