package solver

import (
	"runtime"
	"runtime/metrics"
)

// heap watches how far the heap of the process has grown since it was made. What
// others allocate meanwhile counts too.
type heap struct {
	limit  uint64
	before uint64
}

func newHeap(limit int64) *heap {
	if limit <= 0 {
		return nil
	}
	runtime.GC() // garbage of before would pass for room
	return &heap{limit: uint64(limit), before: occupied()}
}

// full tells whether the limit is reached. It collects garbage before it says
// so; an eighth of the limit is left to garbage, lest each call collect.
func (h *heap) full() bool {
	if h == nil || occupied() <= h.before+h.limit {
		return false
	}
	runtime.GC()
	return occupied() > h.before+h.limit-h.limit/8
}

// occupied is the number of bytes in objects, dead ones that are not swept yet
// included.
func occupied() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
