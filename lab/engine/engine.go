// Package engine is what the pages of the lab run: the project's own searches, a
// step at a time, asked and answered in JSON. Compiled to WebAssembly it runs in
// a Web Worker; natively its tests compare it with the command line. No call
// takes much longer than it is asked to, unless its comment says so.
package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Engine answers the calls of one page. It is for one goroutine.
type Engine struct {
	tell  func(event string, data any)
	rooms map[string]any // what is open, by room
}

// New returns an engine that tells events of long calls to tell, which may be
// nil.
func New(tell func(event string, data any)) *Engine {
	if tell == nil {
		tell = func(string, any) {}
	}
	return &Engine{tell: tell, rooms: map[string]any{}}
}

// A method answers one kind of call.
type method struct {
	name string
	call func(e *Engine, params []byte) (any, error)
}

// MaxParams bounds the JSON of a call, in bytes.
const MaxParams = 8 << 20

// Call answers a call. Errors are one line for people.
func (e *Engine) Call(name string, params []byte) ([]byte, error) {
	i := slices.IndexFunc(methods, func(m method) bool { return m.name == name })
	if i < 0 {
		return nil, fmt.Errorf("no method %q, want one of %s", name, strings.Join(Methods(), ", "))
	}
	if len(params) > MaxParams {
		return nil, fmt.Errorf("%s: %d bytes, want at most %d", name, len(params), MaxParams)
	}
	answer, err := methods[i].call(e, params)
	if err != nil {
		return nil, err
	}
	return json.Marshal(answer)
}

// Methods are the names of all methods.
func Methods() []string {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = m.name
	}
	return names
}

// on makes a method of a function of its parameters.
func on[P, A any](name string, f func(e *Engine, p P) (A, error)) method {
	return method{name, func(e *Engine, params []byte) (any, error) {
		var p P
		d := json.NewDecoder(bytes.NewReader(params))
		d.DisallowUnknownFields()
		if err := d.Decode(&p); err != nil && !(errors.Is(err, io.EOF) && len(params) == 0) {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return f(e, p)
	}}
}

// in makes a method of what is open in a room: the name up to the dot.
func in[R, P, A any](name string, f func(r R, e *Engine, p P) (A, error)) method {
	room, _, _ := strings.Cut(name, ".")
	return on(name, func(e *Engine, p P) (answer A, err error) {
		r, open := e.rooms[room].(R)
		if !open {
			return answer, fmt.Errorf("%s: nothing is open, call %s.open first", name, room)
		}
		return f(r, e, p)
	})
}

// none is the parameters of a call that has none.
type none struct{}
