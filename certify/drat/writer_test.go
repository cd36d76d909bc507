package drat

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

func TestWriter(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	w.Add(1, -1, 63, -63, 64)
	w.Delete(-MaxVariable, MaxVariable)
	w.Add()
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	want := "a\x02\x03\x7e\x7f\x80\x01\x00d\xff\xff\xff\xff\x07\xfe\xff\xff\xff\x07\x00a\x00"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	r := newReader(&b, Binary)
	for _, want := range []struct {
		deletion bool
		clause   []int32
	}{{false, []int32{1, -1, 63, -63, 64}}, {true, []int32{-MaxVariable, MaxVariable}}, {false, nil}} {
		deletion, clause, err := r.next()
		if err != nil || deletion != want.deletion || !slices.Equal(clause, want.clause) {
			t.Errorf("%v %v %v, want %v", deletion, clause, err, want)
		}
	}
	if _, _, err := r.next(); err != io.EOF {
		t.Errorf("%v at the end", err)
	}
}

func TestWriterErrors(t *testing.T) {
	for _, l := range []int32{0, MaxVariable + 1, -MaxVariable - 1} {
		var b bytes.Buffer
		w := NewWriter(&b)
		w.Add(1)
		w.Add(2, l)
		w.Add(3)
		if err := w.Flush(); err == nil || !strings.Contains(err.Error(), "is no literal") || b.Len() > 3 {
			t.Errorf("literal %d: %v, %q", l, err, b.String())
		}
	}
	full := errors.New("disk full")
	w := NewWriter(failing{full})
	for range 1 << 16 {
		w.Add(1, 2, 3)
	}
	if err := w.Flush(); !errors.Is(err, full) {
		t.Error(err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
