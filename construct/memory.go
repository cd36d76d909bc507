package construct

import (
	"fmt"
	"unsafe"

	"lastmile/puzzle"
)

// Memory estimates the bytes that a beam of this width takes, an order that
// scans along the longer side and alike colours included: what Result.Bytes
// will say, or a little more.
func Memory(p *puzzle.Puzzle, width int) int64 {
	words, slots := (p.Cells()+63)/64, 2*max(p.Width, p.Height)+2
	state := 2*(8*words+slots+12+4*(p.Colours()+1)+8) + poolFactor*int(unsafe.Sizeof(child{})) + 8*8*poolFactor + 8 + int(unsafe.Sizeof(ticket{})) +
		min(p.Cells(), remembered+2*forgetEvery+p.Cells()/16)*int(unsafe.Sizeof(mark{}))
	return int64(width) * int64(state)
}

// MaxMemory bounds the beams at work at one time, in bytes.
const MaxMemory = 16 << 30

// CheckMemory tells whether that many beams of a width would be too much.
func CheckMemory(p *puzzle.Puzzle, width, beams int) error {
	if need := Memory(p, width) * int64(beams); need > MaxMemory {
		return fmt.Errorf("%d beams of width %d at once may take %.0f GiB, want at most %d: fewer threads or a narrower beam",
			beams, width, float64(need)/(1<<30), MaxMemory>>30)
	}
	return nil
}

// bytes is the memory of the beam's arrays.
func (b *beam) bytes() int64 {
	state := 8*b.words + b.slots + 4 + 8
	n := int64(2*len(b.states.score)*state) + int64(8*len(b.states.left)+16*len(b.states.square)) +
		int64(4*(cap(b.byTop)+len(b.top))) + int64(cap(b.pool))*int64(unsafe.Sizeof(child{})) +
		int64(cap(b.ranked))*int64(unsafe.Sizeof(ticket{})) + int64(8*len(b.seen.at))
	for _, marks := range b.trail {
		n += int64(len(marks)) * int64(unsafe.Sizeof(mark{}))
	}
	return n
}
