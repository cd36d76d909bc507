package search

import (
	"sync"
	"testing"
	"time"
)

func TestShareAddsUp(t *testing.T) {
	for _, total := range []int64{0, 1, 6, 7, 1 << 40} {
		for _, parts := range []int{1, 2, 7, 100} {
			sum, least, most := int64(0), total, int64(0)
			for i := range parts {
				s := Share(total, parts, i)
				sum, least, most = sum+s, min(least, s), max(most, s)
			}
			if sum != total || most-least > 1 {
				t.Errorf("%d in %d parts: sum %d, from %d to %d", total, parts, sum, least, most)
			}
		}
	}
}

func TestRepeat(t *testing.T) {
	calls := make(chan int)
	n := 0
	stop := Repeat(time.Nanosecond, func() { n++; calls <- n })
	for want := 1; want <= 3; want++ {
		if got := <-calls; got != want {
			t.Errorf("call %d, want %d", got, want)
		}
	}
	go func() {
		for range calls { // the call that may be waiting
		}
	}()
	stop()
	after := n
	time.Sleep(time.Millisecond)
	if n != after {
		t.Error("called after stop")
	}
	close(calls)
}

func TestThrottle(t *testing.T) {
	often := NewThrottle(0)
	for range 2 {
		if !often.Due() {
			t.Error("a throttle of no time is always due")
		}
	}
	seldom := NewThrottle(time.Hour)
	if seldom.Due() {
		t.Error("due before its first hour")
	}
	seldom.last = time.Now().Add(-time.Hour)
	if !seldom.Due() || seldom.Due() {
		t.Error("want due once after an hour")
	}
}

func TestInTurn(t *testing.T) {
	var alone sync.Mutex
	n := 0
	o := InTurn(Func(func(Event) {
		if !alone.TryLock() {
			t.Error("two events at once")
			return
		}
		n++
		alone.Unlock()
	}))
	var crowd sync.WaitGroup
	for range 8 {
		crowd.Go(func() {
			for range 100 {
				o.Observe(Event{})
			}
		})
	}
	crowd.Wait()
	if n != 800 {
		t.Errorf("%d events of 800", n)
	}
	Nobody.Observe(Event{})
}

func TestBudget(t *testing.T) {
	if !(Budget{Iterations: 5, Nodes: 6}).Reproducible() || (Budget{Iterations: 5, Time: 1}).Reproducible() {
		t.Error("a budget is reproducible exactly when no time bounds it")
	}
}
