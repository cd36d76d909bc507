package match

import (
	"context"
	"fmt"
	"sync"

	"lastmile/game"
	"lastmile/game/virus"
)

// Options say what is played.
type Options struct {
	Start   virus.Position // what openings begin from
	Pairs   int            // of games, at most
	Plies   int            // of an opening
	Seed    uint64         // of the openings
	Threads int            // 0 for 1; they change no result, unless a player's limit is one of time
	Test    *Test          // ends the match when it is decided; may be nil
	Told    func(Pair)     // receives every pair when it is done, in their order; may be nil
}

// MaxPairs bounds a match.
const MaxPairs = 1_000_000

// check tells what is wrong with the options.
func (o *Options) check(players [2]Player) error {
	switch {
	case o.Pairs < 1 || o.Pairs > MaxPairs:
		return fmt.Errorf("%d pairs of games, want 1 to %d", o.Pairs, MaxPairs)
	case o.Threads < 0:
		return fmt.Errorf("%d threads, want 1 or more", o.Threads)
	}
	for _, p := range players {
		if err := p.Settings.Check(); err != nil {
			return fmt.Errorf("player %q: %w", p.Name, err)
		}
		if err := p.Limit.Check(); err != nil {
			return fmt.Errorf("player %q: %w", p.Name, err)
		}
		if p.Limit == (game.Limit{}) {
			return fmt.Errorf("player %q has no limit, want one of nodes, depth or time", p.Name)
		}
	}
	if o.Test != nil {
		return o.Test.Check()
	}
	return nil
}

// Pair is an opening and its two games: the first player has x in the one, o in
// the other.
type Pair struct {
	Number  int // from 0
	Opening Opening
	Games   [2]Game

	different int // openings so far
}

// Points of the first player, in halves: 0 to 4.
func (p *Pair) Points() int { return p.Games[0].Points() + p.Games[1].Points() }

// Play plays a match, and stops early when the context ends or the test is
// decided. Pairs are judged in their order, so that the match ends with the same
// one on any number of threads; what was played beyond it, or is not finished,
// does not count.
func Play(ctx context.Context, first, second Player, o Options) (Result, error) {
	players := [2]Player{first, second}
	if err := o.check(players); err != nil {
		return Result{}, err
	}
	openings, err := NewOpenings(o.Start, o.Plies, o.Seed)
	if err != nil {
		return Result{}, err
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	var (
		workers sync.WaitGroup
		drawing sync.Mutex
		done    = make(chan Pair)
		failed  = make(chan error, max(o.Threads, 1))
	)
	for range min(max(o.Threads, 1), o.Pairs) {
		t, err := newTable(players, o.Start)
		if err != nil {
			return Result{}, err
		}
		workers.Go(func() {
			for {
				drawing.Lock()
				pair, err := openings.pair()
				drawing.Unlock()
				if err == nil && pair.Number >= o.Pairs {
					return
				}
				if err == nil {
					err = t.both(inner, &pair)
				}
				if err != nil {
					if inner.Err() == nil {
						failed <- err
						cancel()
					}
					return
				}
				select {
				case done <- pair:
				case <-inner.Done():
					return
				}
			}
		})
	}
	go func() {
		workers.Wait()
		close(done)
	}()
	r := Result{test: o.Test}
	waiting := map[int]Pair{}
	for pair := range done {
		waiting[pair.Number] = pair
		for !r.decided() {
			next, ready := waiting[r.Pairs]
			if !ready {
				break
			}
			delete(waiting, r.Pairs)
			r.add(&next)
			if o.Told != nil {
				o.Told(next)
			}
		}
		if r.decided() {
			cancel()
		}
	}
	select {
	case err := <-failed:
		return r, err
	default:
	}
	r.Stopped = r.Pairs < o.Pairs && !r.decided()
	return r, nil
}
