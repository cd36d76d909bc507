package queue_test

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"lastmile/hunt/job"
	"lastmile/hunt/queue"
)

// free is an address of this machine that nobody listens at.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// A worker behind a leaf does all that one beside the queue does.
func TestLeaf(t *testing.T) {
	const owner, worker = "owner-0123456789abcdef", "worker-0123456789abcdef"
	leaves := free(t)
	o := queue.ServerOptions{Dir: t.TempDir(), Hunt: "h", Listen: "127.0.0.1:0", OwnerToken: owner, WorkerToken: worker, Leaves: leaves}
	hub, err := queue.Serve(o)
	if err != nil {
		t.Fatal(err)
	}
	defer hub.Shutdown()
	o.Dir, o.Leaves, o.Hub = t.TempDir(), "", leaves
	leaf, err := queue.Serve(o)
	if err != nil {
		t.Fatal(err)
	}
	defer leaf.Shutdown()
	ctx := context.Background()
	main, err := queue.Connect(queue.Dial{Server: hub, User: queue.Owner, Token: owner})
	if err != nil {
		t.Fatal(err)
	}
	defer main.Close()
	h, err := queue.Open(ctx, main, "h", queue.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := queue.Connect(queue.Dial{URL: leaf.URL(), User: queue.Worker, Token: "nobody-0123456789abcdef"}); err == nil || !strings.Contains(err.Error(), "does not let us in") {
		t.Errorf("a leaf lets everybody in: %v", err)
	}
	far, err := queue.Connect(queue.Dial{URL: leaf.URL(), User: queue.Worker, Token: worker})
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	var w *queue.Hunt
	for range 100 { // until the leaf has found its hub
		if w, err = queue.Join(ctx, far, "h"); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if err != nil {
		t.Fatal(err)
	}
	j := job.New(job.Job{Set: job.Official, Nodes: 5}, &job.Build{Order: "comb"})
	if there, err := h.Offer(ctx, []job.Job{j}); err != nil || !there[0] {
		t.Fatal(there, err)
	}
	d, err := w.Next(ctx, 10*time.Second)
	if err != nil || d == nil || d.Job.ID() != j.ID() {
		t.Fatalf("the worker at the leaf got %+v, %v", d, err)
	}
	if err := d.Working(); err != nil {
		t.Fatal(err)
	}
	if err := w.Save(ctx, j.ID(), []byte("half")); err != nil {
		t.Fatal(err)
	}
	if state, err := w.Saved(ctx, j.ID()); err != nil || string(state) != "half" {
		t.Fatalf("saved %q, %v", state, err)
	}
	if err := w.Forget(ctx, j.ID()); err != nil {
		t.Fatal(err)
	}
	if err := w.Report(ctx, &job.Result{Job: j.ID()}); err != nil {
		t.Fatal(err)
	}
	if err := d.Done(ctx); err != nil {
		t.Fatal(err)
	}
	list, err := h.Results(ctx, 10*time.Second)
	if err != nil || len(list) != 1 || list[0].Result.Job != j.ID() {
		t.Fatalf("%d results, %v", len(list), err)
	}
	if waiting, err := h.Waiting(ctx); err != nil || len(waiting) != 0 {
		t.Errorf("still waiting: %v, %v", waiting, err)
	}
}
