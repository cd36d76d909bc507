package worker

import "sync"

// keeper keeps states beside a search: the search does not wait for the network,
// and of states that come while one is on its way the last one counts.
type keeper struct {
	keep func([]byte) error
	mu   sync.Mutex
	next []byte
	busy bool
	idle *sync.Cond
}

func newKeeper(keep func([]byte) error) *keeper {
	k := &keeper{keep: keep}
	k.idle = sync.NewCond(&k.mu)
	return k
}

// put hands a state on and returns at once.
func (k *keeper) put(state []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.next = state
	if !k.busy {
		k.busy = true
		go k.run()
	}
}

func (k *keeper) run() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for k.next != nil {
		state := k.next
		k.next = nil
		k.mu.Unlock()
		k.keep(state) // one that is lost costs the work since the last, no more
		k.mu.Lock()
	}
	k.busy = false
	k.idle.Broadcast()
}

// end waits until the last state is kept.
func (k *keeper) end() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for k.busy {
		k.idle.Wait()
	}
}
