package drat

import (
	"bufio"
	"fmt"
	"io"
)

// Writer writes a proof in binary DRAT. The first error ends the writing; every
// call after it returns it.
type Writer struct {
	out *bufio.Writer
	err error
}

// NewWriter returns a writer of a proof that begins here.
func NewWriter(w io.Writer) *Writer { return &Writer{out: bufio.NewWriterSize(w, 1<<16)} }

// Add writes a lemma, the pivot first if it is RAT. Without literals it is the
// empty clause.
func (w *Writer) Add(lemma ...int32) error { return w.step('a', lemma) }

// Delete writes the deletion of a clause.
func (w *Writer) Delete(clause ...int32) error { return w.step('d', clause) }

// Flush hands on what is still held back, and returns the first error of all
// that was written.
func (w *Writer) Flush() error {
	if w.err == nil {
		w.err = w.out.Flush()
	}
	return w.err
}

func (w *Writer) step(kind byte, clause []int32) error {
	if w.err != nil {
		return w.err
	}
	for _, l := range clause {
		if l == 0 || l > MaxVariable || l < -MaxVariable {
			w.err = fmt.Errorf("drat: %d is no literal, want a variable from 1 to %d or its negative", l, MaxVariable)
			return w.err
		}
	}
	w.out.WriteByte(kind)
	for _, l := range clause {
		code := 2 * uint32(l)
		if l < 0 {
			code = 2*uint32(-l) + 1
		}
		for ; code >= 0x80; code >>= 7 {
			w.out.WriteByte(byte(code) | 0x80)
		}
		w.out.WriteByte(byte(code))
	}
	w.err = w.out.WriteByte(0) // a bufio.Writer keeps its first error
	return w.err
}
