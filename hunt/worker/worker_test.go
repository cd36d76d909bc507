package worker_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"lastmile/alns"
	"lastmile/hunt/job"
	"lastmile/hunt/queue"
	"lastmile/hunt/worker"
	"lastmile/puzzle"
)

// scene is a queue with a coordinator that the test plays.
type scene struct {
	dial queue.Dial
	road *queue.Hunt
}

func newScene(t *testing.T, lease time.Duration) *scene {
	t.Helper()
	s, err := queue.Serve(queue.ServerOptions{Dir: t.TempDir(), Hunt: "h"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Shutdown)
	d := queue.Dial{Server: s}
	conn, err := queue.Connect(d)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	h, err := queue.Open(context.Background(), conn, "h", queue.Options{Lease: lease})
	if err != nil {
		t.Fatal(err)
	}
	return &scene{d, h}
}

// welcome lets all workers in, or tells them why not.
func (s *scene) welcome(t *testing.T, refused string) {
	t.Helper()
	answers, err := s.road.Answer(func(queue.Hello) queue.Welcome { return queue.Welcome{Refused: refused} })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answers.Unsubscribe() })
}

func (s *scene) offer(t *testing.T, jobs ...job.Job) {
	t.Helper()
	there, err := s.road.Offer(context.Background(), jobs)
	if err != nil || slices.Contains(there, false) {
		t.Fatal(there, err)
	}
}

// result is the next result that comes in.
func (s *scene) result(t *testing.T) *job.Result {
	t.Helper()
	for {
		list, err := s.road.Results(context.Background(), time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) > 0 {
			if list[0].Err != nil {
				t.Fatal(list[0].Err)
			}
			if err := list[0].Entered(); err != nil {
				t.Fatal(err)
			}
			return list[0].Result
		}
	}
}

// run lets a worker work until the test ends or stop is called.
func (s *scene) run(t *testing.T, o worker.Options) (stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	o.Hunt, o.Dial = "h", s.dial
	done := make(chan error, 1)
	go func() { done <- worker.Run(ctx, o) }()
	over := false
	stop = func() error {
		if over {
			return nil
		}
		over = true
		cancel()
		return <-done
	}
	t.Cleanup(func() { stop() })
	return stop
}

func walk(t *testing.T, iterations int64) (*puzzle.Puzzle, job.Job) {
	t.Helper()
	p, err := puzzle.Official().WithClues(nil)
	if err != nil {
		t.Fatal(err)
	}
	r, _ := puzzle.RecordNamed("riotte-464")
	return p, job.New(job.Job{Set: job.Official, Seed: 1, Iterations: iterations}, &job.Polish{Start: p.Codes(r.Board)})
}

// A worker goes on from the state that a dead one has left: here one that holds a
// board which the job itself would never come to, so it shows.
func TestGoesOnFromWhatIsSaved(t *testing.T) {
	s := newScene(t, time.Second)
	p, j := walk(t, 70_000)
	first, err := queue.Join(context.Background(), s.road.Conn, "h")
	if err != nil {
		t.Fatal(err)
	}
	s.offer(t, j)
	d, err := first.Next(context.Background(), 10*time.Second) // and is not heard of again
	if err != nil || d == nil {
		t.Fatal(d, err)
	}
	var states alns.States
	ctx, cancel := context.WithCancel(context.Background())
	if _, err := job.Do(ctx, p, j, job.Sitting{Every: time.Millisecond, Save: func(b []byte) {
		states = alns.States{}
		if err := json.Unmarshal(b, &states); err != nil {
			t.Error(err)
		}
		if states.Walks[0].Iterations > 0 {
			cancel()
		}
	}}); !errors.Is(err, job.ErrStopped) {
		t.Fatal(err)
	}
	better, _ := puzzle.RecordNamed("blackwood-470")
	states.Walks[0].Best = p.Codes(better.Board)
	text, err := json.Marshal(states)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Save(context.Background(), j.ID(), text); err != nil {
		t.Fatal(err)
	}
	s.welcome(t, "")
	s.run(t, worker.Options{})
	r := s.result(t)
	if r.Job != j.ID() || r.Error != "" || r.Iterations != 70_000 || len(r.Boards) != 1 || r.Boards[0].Score != 470 {
		t.Errorf("the job ended with %+v, want the board of 470 that its first worker had left", r)
	}
	for { // it is forgotten once it has been reported
		ids, err := s.road.AllSaved(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if len(ids) == 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// A worker that is stopped saves its job and gives it back at once.
func TestStopGivesBack(t *testing.T) {
	s := newScene(t, time.Hour) // nothing comes back by itself
	p, j := walk(t, 250_000)
	s.welcome(t, "")
	s.offer(t, j)
	stop := s.run(t, worker.Options{Every: 20 * time.Millisecond})
	for {
		state, err := s.road.Saved(context.Background(), j.ID())
		if err != nil {
			t.Fatal(err)
		}
		if state != nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	s.run(t, worker.Options{})
	r := s.result(t)
	want, err := job.Do(context.Background(), p, j, job.Sitting{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Iterations != want.Iterations || r.Boards[0].Score != want.Boards[0].Score || !slices.Equal(r.Boards[0].Codes, want.Boards[0].Codes) {
		t.Errorf("in two sittings %d, in one %d", r.Boards[0].Score, want.Boards[0].Score)
	}
}

// A job that cannot be done is reported, and the worker goes on.
func TestReportsWhatCannotBeDone(t *testing.T) {
	s := newScene(t, time.Minute)
	s.welcome(t, "")
	bad := job.New(job.Job{Set: "00000000000000000000000000000000", Nodes: 5}, &job.Build{Order: "comb"})
	worse := job.Job{Kind: "dance", Set: job.Official, Parameters: []byte("{}")}
	_, good := walk(t, 1000)
	s.offer(t, bad, worse, good)
	s.run(t, worker.Options{Version: "v"})
	got := map[string]*job.Result{}
	for range 3 {
		r := s.result(t)
		got[r.Job] = r
		if r.Version != "v" || r.Worker == "" || r.Signature != job.Signature() || r.Protocol != job.Protocol {
			t.Errorf("a result that does not say who it is of: %+v", r)
		}
	}
	if r := got[bad.ID()]; r == nil || !strings.Contains(r.Error, "piece set") {
		t.Errorf("a set that is not known: %+v", r)
	}
	if r := got[worse.ID()]; r == nil || !strings.Contains(r.Error, "dance") {
		t.Errorf("a kind that is not known: %+v", r)
	}
	if r := got[good.ID()]; r == nil || r.Error != "" {
		t.Errorf("the good one: %+v", r)
	}
}

func TestRefusedWorkerEnds(t *testing.T) {
	s := newScene(t, time.Minute)
	s.welcome(t, "it is too old")
	err := worker.Run(context.Background(), worker.Options{Hunt: "h", Dial: s.dial})
	if !errors.Is(err, worker.ErrRefused) || !strings.Contains(err.Error(), "too old") {
		t.Errorf("%v", err)
	}
}

// A worker that was let in by one coordinator may be refused by the next.
func TestRefusedLater(t *testing.T) {
	s := newScene(t, time.Minute)
	s.welcome(t, "")
	heard := make(chan string, 1)
	beats, err := s.road.Beats(func(name string, _ []byte) {
		select {
		case heard <- name:
		default:
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer beats.Unsubscribe()
	done := make(chan error, 1)
	go func() { done <- worker.Run(context.Background(), worker.Options{Hunt: "h", Dial: s.dial}) }()
	name := <-heard
	if err := s.road.Command(queue.Control{Refused: "somebody else", Why: "no"}); err != nil {
		t.Fatal(err)
	}
	if err := s.road.Command(queue.Control{Refused: name, Why: "another version"}); err != nil {
		t.Fatal(err)
	}
	if err := <-done; !errors.Is(err, worker.ErrRefused) || !strings.Contains(err.Error(), "another version") {
		t.Errorf("%v", err)
	}
}

// A worker may come before the hunt and before its queue.
func TestWaitsForTheHunt(t *testing.T) {
	s, err := queue.Serve(queue.ServerOptions{Dir: t.TempDir(), Hunt: "h"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Shutdown()
	d := queue.Dial{Server: s}
	done := make(chan error, 1)
	go func() { done <- worker.Run(context.Background(), worker.Options{Hunt: "h", Dial: d, Most: 1}) }()
	conn, err := queue.Connect(d)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	h, err := queue.Open(context.Background(), conn, "h", queue.Options{})
	if err != nil {
		t.Fatal(err)
	}
	here := &scene{d, h}
	_, j := walk(t, 1000)
	here.offer(t, j)
	here.welcome(t, "")
	if r := here.result(t); r.Job != j.ID() {
		t.Errorf("a result of %s", r.Job)
	}
	if err := <-done; err != nil {
		t.Errorf("after its one job: %v", err)
	}
}

// All that comes while no queue can be reached is kept, and reported later.
func TestReportsWhenTheQueueIsBack(t *testing.T) {
	dir := t.TempDir()
	o := queue.ServerOptions{Dir: dir, Hunt: "h", Listen: "127.0.0.1:0"}
	s, err := queue.Serve(o)
	if err != nil {
		t.Fatal(err)
	}
	o.Listen = strings.TrimPrefix(s.URL(), "nats://")
	open := func() *scene {
		t.Helper()
		conn, err := queue.Connect(queue.Dial{URL: s.URL()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(conn.Close)
		h, err := queue.Open(context.Background(), conn, "h", queue.Options{Lease: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		return &scene{queue.Dial{URL: s.URL()}, h}
	}
	here := open()
	here.welcome(t, "")
	_, j := walk(t, 200_000)
	here.offer(t, j)
	busy := make(chan bool, 1)
	beats, err := here.road.Beats(func(_ string, text []byte) {
		var b worker.Beat
		if json.Unmarshal(text, &b) == nil && len(b.Doing) > 0 {
			select {
			case busy <- true:
			default:
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer beats.Unsubscribe()
	here.run(t, worker.Options{})
	<-busy
	s.Shutdown()
	time.Sleep(500 * time.Millisecond)
	if s, err = queue.Serve(o); err != nil {
		t.Fatal(err)
	}
	defer func() { s.Shutdown() }()
	if r := open().result(t); r.Job != j.ID() || r.Error != "" {
		t.Errorf("%+v", r)
	}
}
