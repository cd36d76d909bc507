package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"lastmile/hunt"
	"lastmile/hunt/archive"
	"lastmile/hunt/job"
	"lastmile/puzzle"
)

// process is a program at work.
type process struct {
	*exec.Cmd
	said bytes.Buffer
	over chan struct{}
	err  error
}

func begin(t *testing.T, program string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(program, args...), over: make(chan struct{})}
	p.Stderr = &p.said
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.err = p.Wait()
		close(p.over)
	}()
	t.Cleanup(p.kill)
	return p
}

// kill ends it as a loss of power does.
func (p *process) kill() {
	p.Process.Kill()
	<-p.over
}

func (p *process) ended() bool {
	select {
	case <-p.over:
		return true
	default:
		return false
	}
}

// freeAddress is an address of this machine that nobody listens at.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// Workers are killed every second or so, and the coordinator with its queue twice;
// in the end every job is done once, and nothing is lost or counted twice.
func TestHuntSurvivesKills(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program for a minute")
	}
	program := binary(t)
	dir := filepath.Join(t.TempDir(), "hunt")
	const (
		jobs, iterations = 380, 25_000 // of short jobs
		long, longer     = 6, 1_200_000
	)
	start := []string{"hunt", "start", "--dir", dir, "--listen", freeAddress(t), "--workers", "0", "--finish", "-q", "--lease", "2s"}
	ways := []string{"--clues", "none", "--order", "column,comb", "--width", "16", "--no-again"}
	coordinator := begin(t, program, append(append(start, ways...), "--jobs", fmt.Sprint(jobs), "--iterations", fmt.Sprint(iterations))...)
	for hunt.Address(dir) == "" {
		time.Sleep(20 * time.Millisecond)
	}
	add := func(args ...string) {
		t.Helper()
		args = append([]string{"hunt", "add"}, append(args, "--dir", dir)...)
		if out, err := exec.Command(program, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
	}
	add("exhaust", "riotte-464", "--turn", "180", "--keep", "224", "--budget", "5", "--ledger", "off", "--nodes", "20000")
	add(append(append([]string{"boards", "--seed", "1000"}, ways...), "--jobs", fmt.Sprint(long), "--iterations", fmt.Sprint(longer))...)
	work := func() *process {
		return begin(t, program, "hunt", "work", "--dir", dir, "--slots", "1", "--every", "200ms", "-q")
	}
	workers := []*process{work(), work(), work(), work()}
	lots := rand.New(rand.NewPCG(1, 2))
	done := func() int64 {
		s, err := hunt.Look(dir)
		if err != nil {
			t.Fatal(err)
		}
		return s.Done
	}
	kills, restarts := 0, 0
	for !coordinator.ended() {
		time.Sleep(time.Second + time.Duration(lots.IntN(700))*time.Millisecond)
		i := lots.IntN(len(workers))
		if !workers[i].ended() {
			kills++
		}
		workers[i].kill()
		workers[i] = work()
		for _, w := range workers {
			if w.ended() && w.err != nil { // without an error when the hunt is over
				t.Fatalf("a worker ended by itself: %v: %s", w.err, w.said.String())
			}
		}
		if n := done(); restarts < 2 && n > int64(100+250*restarts) {
			restarts++
			coordinator.kill()
			coordinator = begin(t, program, start...)
		}
	}
	if coordinator.err != nil {
		t.Fatalf("the coordinator: %v: %s", coordinator.err, coordinator.said.String())
	}
	for _, w := range workers {
		w.kill()
	}
	t.Logf("%d workers and %d coordinators were killed", kills, restarts)
	if kills < 5 || restarts < 2 {
		t.Errorf("%d workers and %d coordinators were killed, want more for the test to mean something", kills, restarts)
	}
	s, err := hunt.Look(dir)
	if err != nil {
		t.Fatal(err)
	}
	if s.Jobs.Open+s.Jobs.Queued+s.Jobs.Failed > 0 || s.Done < 500 || len(s.Campaigns) != 3 {
		t.Fatalf("jobs %+v of %d campaigns, want all done, 500 or more", s.Jobs, len(s.Campaigns))
	}
	e := s.Campaigns[1].Exhausted
	if !e.Complete || e.Nodes != 3_784_655 || e.Completions != 1 || !slices.Equal(e.ByBreaks, []int64{0, 0, 0, 0, 0, 1}) {
		t.Errorf("the exhaustion counts %+v, want the 3,784,655 nodes of one machine and one completion of 5 breaks", e)
	}
	checkBoards(t, dir, s.Campaigns[0], 1, jobs, iterations, 20)
	checkBoards(t, dir, s.Campaigns[2], 1000, long, longer, 1)
}

// checkBoards does some of the jobs of a campaign again, here, and compares.
func checkBoards(t *testing.T, dir string, c hunt.Campaign, seed uint64, jobs int, iterations int64, again int) {
	t.Helper()
	uses := int64(0)
	for _, a := range c.Arms {
		uses += a.Uses
	}
	if c.Jobs.Done != int64(jobs) || uses != int64(jobs) {
		t.Errorf("campaign %d: %d jobs done, %d counted, want %d", c.Number, c.Jobs.Done, uses, jobs)
	}
	a, err := archive.Read(hunt.ArchiveIn(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	p, err := puzzle.Official().WithClues([]puzzle.Placement{})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Write(func(tx *archive.Tx) error {
		boards, err := tx.Boards(archive.Filter{})
		if err != nil {
			return err
		}
		for i := range jobs {
			var found *archive.Job
			for _, order := range []string{"column", "comb"} {
				j := job.New(job.Job{Set: job.Official, Clues: p.Clues, Seed: seed, Stream: i, Iterations: iterations},
					&job.Solve{Method: "beam", Order: order, Width: 16})
				row, err := tx.Job(j.ID())
				if err != nil {
					return err
				}
				if row != nil {
					row.Job, found = j, row
				}
			}
			if found == nil || found.State != archive.Done {
				t.Errorf("job %d of campaign %d: %+v, want it done", i, c.Number, found)
				continue
			}
			if i%(jobs/again) != 0 {
				continue
			}
			r, err := job.Do(context.Background(), p, found.Job, job.Sitting{})
			if err != nil {
				return err
			}
			b, err := r.Boards[0].Judge(p)
			if err != nil {
				return err
			}
			id := archive.Canonical(job.Official, b)
			if found.Score != b.Score() || !slices.ContainsFunc(boards, func(x *archive.Board) bool { return x.ID == id && x.Score == b.Score() }) {
				t.Errorf("job %d of campaign %d: a board of %d is in the archive as one of %d, or is not there", i, c.Number, b.Score(), found.Score)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
