package queue_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"lastmile/hunt/job"
	"lastmile/hunt/queue"
)

// open makes the queues of a hunt on a server of this process.
func open(t *testing.T, o queue.Options) (*queue.Server, *queue.Hunt) {
	t.Helper()
	s, err := queue.Serve(queue.ServerOptions{Dir: t.TempDir(), Hunt: "h"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Shutdown)
	return s, openAt(t, s, o)
}

func openAt(t *testing.T, s *queue.Server, o queue.Options) *queue.Hunt {
	t.Helper()
	conn, err := queue.Connect(queue.Dial{Server: s})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	h, err := queue.Open(context.Background(), conn, "h", o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func builds(n int) (list []job.Job) {
	for i := range n {
		list = append(list, job.New(job.Job{Set: job.Official, Stream: i, Nodes: 5}, &job.Build{Order: "comb"}))
	}
	return list
}

func offer(t *testing.T, h *queue.Hunt, jobs ...job.Job) {
	t.Helper()
	there, err := h.Offer(context.Background(), jobs)
	if err != nil || slices.Contains(there, false) {
		t.Fatalf("offered: %v, %v", there, err)
	}
}

func next(t *testing.T, h *queue.Hunt, wait time.Duration) *queue.Delivery {
	t.Helper()
	d, err := h.Next(context.Background(), wait)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func waiting(t *testing.T, h *queue.Hunt) int {
	t.Helper()
	w, err := h.Waiting(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return len(w)
}

// However often a job is offered, it is in the queue once, also while somebody has
// it; when it is done it can be offered again.
func TestOfferedTwiceIsThereOnce(t *testing.T) {
	_, h := open(t, queue.Options{})
	jobs := builds(20)
	offer(t, h, jobs...)
	offer(t, h, jobs...)
	if n := waiting(t, h); n != 20 {
		t.Fatalf("%d jobs wait, want 20", n)
	}
	d := next(t, h, 5*time.Second)
	offer(t, h, jobs...)
	if n := waiting(t, h); n != 20 {
		t.Errorf("%d jobs wait while one is at work, want 20", n)
	}
	if err := d.Done(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n := waiting(t, h); n != 19 {
		t.Errorf("%d jobs wait after one is done, want 19", n)
	}
	seen := map[string]bool{}
	for range 19 {
		d := next(t, h, 5*time.Second)
		if d == nil || seen[d.Job.ID()] {
			t.Fatalf("a job twice or not at all after %d", len(seen))
		}
		seen[d.Job.ID()] = true
	}
	if d := next(t, h, 200*time.Millisecond); d != nil {
		t.Errorf("one job more than there are: %+v", d.Job)
	}
	offer(t, h, d.Job)
	if again := next(t, h, 5*time.Second); again == nil || again.Job.ID() != d.Job.ID() {
		t.Error("a job that was done before is not to be had again")
	}
}

// A job comes back when its worker is not heard of, and not while it is.
func TestLeases(t *testing.T) {
	_, h := open(t, queue.Options{Lease: time.Second})
	offer(t, h, builds(1)...)
	d := next(t, h, 5*time.Second)
	if d == nil || d.Tries != 1 {
		t.Fatalf("%+v", d)
	}
	for range 8 {
		if err := d.Working(); err != nil {
			t.Fatal(err)
		}
		if again := next(t, h, 300*time.Millisecond); again != nil {
			t.Fatal("a job was given out twice though its worker was heard of")
		}
	}
	var again *queue.Delivery
	for again == nil {
		again = next(t, h, time.Second)
	}
	if again.Tries != 2 || again.Job.ID() != d.Job.ID() {
		t.Errorf("%+v", again)
	}
	if err := again.Return(); err != nil {
		t.Fatal(err)
	}
	if third := next(t, h, 5*time.Second); third == nil || third.Tries != 3 {
		t.Errorf("given back: %+v", third)
	}
	if err := h.Withdraw(context.Background(), d.Job.ID()); err != nil {
		t.Fatal(err)
	}
	if n := waiting(t, h); n != 0 {
		t.Errorf("%d jobs wait after it was withdrawn", n)
	}
}

func TestResultsComeUntilEntered(t *testing.T) {
	s, h := open(t, queue.Options{})
	ctx := context.Background()
	for _, j := range builds(3) {
		if err := h.Report(ctx, &job.Result{Job: j.ID(), Nodes: 7}); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Conn.Publish("lastmile.h.result.nonsense", []byte("{not json")); err != nil {
		t.Fatal(err)
	}
	var got []queue.Arrival
	for len(got) < 4 {
		list, err := h.Results(ctx, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, list...)
	}
	if got[3].Err == nil || got[3].Subject != "nonsense" || got[0].Result.Nodes != 7 || got[0].Subject != builds(1)[0].ID() {
		t.Errorf("%+v", got)
	}
	if err := got[0].Entered(); err != nil {
		t.Fatal(err)
	}
	if open, err := h.Unsettled(ctx); err != nil || !open {
		t.Errorf("unsettled %v, %v; want true", open, err)
	}
	// Another coordinator gets what this one has taken and not entered.
	other := openAt(t, s, queue.Options{})
	var again []queue.Arrival
	for len(again) < 3 {
		list, err := other.Results(ctx, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		again = append(again, list...)
	}
	for _, a := range again {
		if a.Subject == got[0].Subject {
			t.Error("a result that was entered comes again")
		}
		if err := a.Entered(); err != nil {
			t.Fatal(err)
		}
	}
	for {
		open, err := other.Unsettled(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if !open {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestStates(t *testing.T) {
	_, h := open(t, queue.Options{})
	ctx := context.Background()
	if s, err := h.Saved(ctx, "a"); s != nil || err != nil {
		t.Errorf("before it is there: %q, %v", s, err)
	}
	if ids, err := h.AllSaved(ctx); len(ids) != 0 || err != nil {
		t.Errorf("none: %v, %v", ids, err)
	}
	big := []byte(strings.Repeat("state ", 200_000))
	for _, state := range [][]byte{[]byte("one"), big, []byte("two")} {
		if err := h.Save(ctx, "a", state); err != nil {
			t.Fatal(err)
		}
		if got, err := h.Saved(ctx, "a"); string(got) != string(state) || err != nil {
			t.Errorf("%d bytes come back as %d, %v", len(state), len(got), err)
		}
	}
	if err := h.Save(ctx, "b", big); err != nil {
		t.Fatal(err)
	}
	if ids, err := h.AllSaved(ctx); len(ids) != 2 || err != nil {
		t.Errorf("two: %v, %v", ids, err)
	}
	for range 2 { // the second time there is nothing
		if err := h.Forget(ctx, "a"); err != nil {
			t.Fatal(err)
		}
	}
	if s, err := h.Saved(ctx, "a"); s != nil || err != nil {
		t.Errorf("after it is forgotten: %q, %v", s, err)
	}
	if ids, err := h.AllSaved(ctx); len(ids) != 1 || err != nil {
		t.Errorf("one is left: %v, %v", ids, err)
	}
}

// Whoever coordinates keeps others off as long as it is heard of.
func TestOneCoordinator(t *testing.T) {
	s, h := open(t, queue.Options{})
	ctx := context.Background()
	lead := func(archive, process string) queue.Lead {
		return queue.Lead{Archive: archive, Process: process, Host: process, Since: time.Unix(0, 0)}
	}
	first, err := h.Take(ctx, lead("x", "first"), 0)
	if err != nil {
		t.Fatal(err)
	}
	other := openAt(t, s, queue.Options{})
	if _, err := other.Take(ctx, lead("y", "second"), 0); !errors.Is(err, queue.ErrLed) || !strings.Contains(err.Error(), "another archive") {
		t.Errorf("of another archive: %v", err)
	}
	beating, stop := context.WithCancel(ctx)
	done := make(chan bool)
	go func() {
		defer close(done)
		for beating.Err() == nil {
			if err := first.Beat(ctx); err != nil {
				t.Errorf("the first: %v", err)
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
	if _, err := other.Take(ctx, lead("x", "second"), 500*time.Millisecond); !errors.Is(err, queue.ErrLed) || !strings.Contains(err.Error(), "first") {
		t.Errorf("while the first is there: %v", err)
	}
	stop()
	<-done
	second, err := other.Take(ctx, lead("x", "second"), 300*time.Millisecond)
	if err != nil {
		t.Fatalf("after the first is gone: %v", err)
	}
	if err := first.Beat(ctx); !errors.Is(err, queue.ErrLed) {
		t.Errorf("the first, which has lost its hold: %v", err)
	}
	if err := second.Leave(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Take(ctx, lead("x", "third"), time.Hour); err != nil { // who left in peace is not waited for
		t.Errorf("after it was given up: %v", err)
	}
}

// Who offers more than there is room for is told, and nothing is half there.
func TestFullQueue(t *testing.T) {
	_, h := open(t, queue.Options{Bytes: 4096})
	jobs := builds(100)
	there, err := h.Offer(context.Background(), jobs)
	if err == nil || !strings.Contains(err.Error(), "maximum bytes") {
		t.Errorf("%v", err)
	}
	in := 0
	for _, x := range there {
		if x {
			in++
		}
	}
	if n := waiting(t, h); in == 0 || in == 100 || n != in {
		t.Errorf("%d of 100 jobs are said to be there, %d are", in, n)
	}
	for {
		d := next(t, h, 200*time.Millisecond)
		if d == nil {
			break
		}
		if err := d.Done(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	offer(t, h, jobs[len(jobs)-1])
}

func TestNames(t *testing.T) {
	for name, want := range map[string]bool{"hunt": true, "a-1": true, "": false, "A": false, "a b": false, "a.b": false, "-a": false, strings.Repeat("a", 40): false} {
		if err := queue.CheckName(name); (err == nil) != want {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestRedacted(t *testing.T) {
	for address, want := range map[string]string{
		"nats://worker:secret@host:4222": "nats://host:4222", "host:1": "nats://host:1", "tls://a:b@x:1,y:2": "tls://x:1,nats://y:2",
	} {
		if got := queue.Redacted(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}
