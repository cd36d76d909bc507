package drat

import (
	"bufio"
	"fmt"
	"io"
	"math"
)

// Format is how a proof is written.
type Format int

// The formats; the package documentation describes them.
const (
	Binary Format = iota
	Text
)

// maxLength is the number of literals that a step may have.
const maxLength = 1 << 24

// reader takes a proof apart into steps.
type reader struct {
	in     *bufio.Reader
	format Format
	offset int64 // bytes that were read
	line   int   // of a text, from 1
	clause []int32
}

// formatError says that the bytes are no proof.
type formatError struct{ where, why string }

func (e *formatError) Error() string { return e.where + ": " + e.why }

func newReader(in io.Reader, format Format) *reader {
	return &reader{in: bufio.NewReaderSize(in, 1<<16), format: format, line: 1}
}

// next reads a step. The clause is valid until the next call. The error is
// io.EOF at the end of the proof, a *formatError, or one of the reader below.
func (r *reader) next() (deletion bool, clause []int32, err error) {
	r.clause = r.clause[:0]
	if r.format == Text {
		deletion, err = r.text()
	} else {
		deletion, err = r.binary()
	}
	return deletion, r.clause, err
}

func (r *reader) binary() (deletion bool, err error) {
	kind, err := r.byte()
	if err != nil {
		return false, err
	}
	if kind != 'a' && kind != 'd' {
		return false, r.wrong("a step begins with %#x, want 'a' or 'd'", kind)
	}
	for {
		var code uint64
		for shift := 0; ; shift += 7 {
			b, err := r.byte()
			if err != nil {
				return false, r.within(err)
			}
			code |= uint64(b&0x7f) << shift
			if b < 0x80 {
				if b == 0 && shift > 0 {
					return false, r.wrong("a literal is longer than it need be")
				}
				break
			}
			if shift == 28 {
				return false, r.wrong("a literal of more than 5 bytes")
			}
		}
		if code == 0 {
			return kind == 'd', nil
		}
		v := int64(code / 2)
		if code&1 != 0 {
			v = -v
		}
		if err := r.literal(v); err != nil {
			return false, err
		}
	}
}

func (r *reader) text() (deletion bool, err error) {
	begun := false
	for {
		b, err := r.byte()
		if err != nil {
			if begun {
				err = r.within(err)
			}
			return false, err
		}
		switch {
		case blank(b):
		case b == 'c' && !begun:
			for b != '\n' {
				if b, err = r.byte(); err != nil {
					return false, err
				}
			}
		case b == 'd' && !begun:
			deletion, begun = true, true
			if b, err = r.byte(); err != nil {
				return false, r.within(err)
			}
			if !blank(b) {
				return false, r.wrong("%q behind d, want a blank", b)
			}
		default:
			begun = true
			v, err := r.number(b)
			if err != nil {
				return false, err
			}
			if v == 0 {
				return deletion, nil
			}
			if err := r.literal(v); err != nil {
				return false, err
			}
		}
	}
}

// number reads the literal that begins with b, and the blank behind it.
func (r *reader) number(b byte) (v int64, err error) {
	sign := int64(1)
	if b == '-' {
		sign = -1
		if b, err = r.byte(); err != nil {
			return 0, r.within(err)
		}
	}
	for digits := 0; ; digits++ {
		if b < '0' || b > '9' {
			if digits == 0 || !blank(b) {
				return 0, r.wrong("found %q, want a literal or 0", b)
			}
			break
		}
		if v = 10*v + int64(b-'0'); v > math.MaxInt32 {
			return 0, r.wrong("a literal beyond %d, the highest variable there may be", MaxVariable)
		}
		if b, err = r.byte(); err == io.EOF && v == 0 && sign > 0 {
			return 0, nil // a last line without an end
		} else if err != nil {
			return 0, r.within(err)
		}
	}
	if v == 0 && sign < 0 {
		return 0, r.wrong("found -0, want a literal or 0")
	}
	return sign * v, nil
}

// literal adds a literal to the clause.
func (r *reader) literal(v int64) error {
	if v == 0 {
		return r.wrong("a literal without a variable")
	}
	if max(v, -v) > MaxVariable {
		return r.wrong("literal %d, want none beyond %d", v, MaxVariable)
	}
	if len(r.clause) == maxLength {
		return r.wrong("a clause of more than %d literals", maxLength)
	}
	r.clause = append(r.clause, int32(v))
	return nil
}

func (r *reader) byte() (byte, error) {
	b, err := r.in.ReadByte()
	if err == nil {
		r.offset++
		if b == '\n' {
			r.line++
		}
	}
	return b, err
}

// within is the error of a read in the middle of a step.
func (r *reader) within(err error) error {
	if err == io.EOF {
		return r.wrong("the proof ends in the middle of a clause")
	}
	return err
}

func (r *reader) wrong(format string, args ...any) error {
	where := fmt.Sprintf("byte %d", r.offset)
	if r.format == Text {
		where = fmt.Sprintf("line %d", r.line)
	}
	return &formatError{where, fmt.Sprintf(format, args...)}
}

func blank(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }
