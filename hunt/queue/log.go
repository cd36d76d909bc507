package queue

import (
	"fmt"
	"strings"
	"sync"
)

// lines hands what the server says to a log, and remembers the last error of it.
type lines struct {
	say  func(format string, v ...any)
	mu   sync.Mutex
	last string
}

func (l *lines) worst() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

func (l *lines) tell(format string, v []any) {
	if l.say != nil {
		l.say(format, v...)
	}
}

// Noticef and its like are what the server asks of a log.
func (l *lines) Noticef(string, ...any) {}
func (l *lines) Debugf(string, ...any)  {}
func (l *lines) Tracef(string, ...any)  {}
func (l *lines) Warnf(format string, v ...any) {
	if !strings.HasPrefix(format, "Plaintext passwords") { // they never leave the folder of the hunt
		l.tell(format, v)
	}
}
func (l *lines) Errorf(format string, v ...any) { l.keep(format, v) }
func (l *lines) Fatalf(format string, v ...any) { l.keep(format, v) }

func (l *lines) keep(format string, v []any) {
	l.mu.Lock()
	l.last = fmt.Sprintf(format, v...)
	l.mu.Unlock()
	l.tell(format, v)
}
