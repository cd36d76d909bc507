// Package random gives seeded streams of random numbers.
//
// A stream is named by (seed, name, number). Streams of different names or
// numbers are independent; the same triple gives the same stream on every
// machine and in every version, which is what lets a search be split into
// numbered parts and still give one answer on any number of threads.
package random

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
)

// Stream is a PCG-DXSM generator with unbiased bounded draws. The draws are
// written here, not taken from rand.Rand, because a published result must not
// depend on how a later standard library maps 64 bits to a range.
type Stream struct {
	pcg rand.PCG
}

// New returns the stream (seed, name, number).
func New(seed uint64, name string, number int) *Stream {
	s := new(Stream)
	s.Reset(seed, name, number)
	return s
}

// Reset turns s into the stream (seed, name, number) at its beginning. The
// state is the SHA-256 of the triple, so that neighbouring seeds share nothing.
func (s *Stream) Reset(seed uint64, name string, number int) {
	text := make([]byte, 16, 16+len(name))
	binary.LittleEndian.PutUint64(text, seed)
	binary.LittleEndian.PutUint64(text[8:], uint64(number))
	sum := sha256.Sum256(append(text, name...))
	s.pcg.Seed(binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:]))
}

// Uint64 returns 64 random bits.
func (s *Stream) Uint64() uint64 { return s.pcg.Uint64() }

// Uint32 returns 32 random bits.
func (s *Stream) Uint32() uint32 { return uint32(s.pcg.Uint64() >> 32) }

// Below returns a number in 0..n-1, each as likely (Lemire, "Fast random
// integer generation in an interval", 2019). It panics when n < 1.
func (s *Stream) Below(n int) int {
	if n < 1 {
		panic("random: Below needs n >= 1")
	}
	bound := uint64(n)
	high, low := bits.Mul64(s.pcg.Uint64(), bound)
	if low < bound {
		for threshold := -bound % bound; low < threshold; {
			high, low = bits.Mul64(s.pcg.Uint64(), bound)
		}
	}
	return int(high)
}

// Float64 returns a number in [0, 1) with 53 random bits.
func (s *Stream) Float64() float64 { return float64(s.pcg.Uint64()>>11) / (1 << 53) }

// Shuffle permutes n elements by Fisher and Yates.
func (s *Stream) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, s.Below(i+1))
	}
}

// Mix is the finaliser of splitmix64: a bijection of 64 bits that spreads
// neighbouring inputs. It makes hash keys and lotteries out of counters.
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
