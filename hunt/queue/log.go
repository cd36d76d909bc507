package queue

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"
)

// lines hands what the server says to a log, in our words where they say more, and
// each thing now and then only: a server that cannot reach another says so many
// times a second. It also remembers the last error.
type lines struct {
	say   func(format string, v ...any)
	taken chan string // hears of another server of our name
	began time.Time

	mu   sync.Mutex
	last string
	told map[string]time.Time // by what was said, numbers apart
}

func newLines(say func(format string, v ...any)) *lines {
	return &lines{say: say, taken: make(chan string, 1), began: time.Now(), told: map[string]time.Time{}}
}

func (l *lines) worst() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

// Between two lines that say the same.
const againEvery = time.Minute

// A server that hears of another of its name so soon after its start is the
// younger one, or both are new.
const young = 15 * time.Second

func (l *lines) tell(format string, v []any) {
	text := inWords(fmt.Sprintf(format, v...))
	if text == "" {
		return
	}
	if strings.HasPrefix(text, nameTaken) && time.Since(l.began) < young {
		select {
		case l.taken <- text:
		default:
		}
	}
	if l.say != nil && l.due(text) {
		l.say("%s", text)
	}
}

// due tells whether a line is not the same as one of a moment ago.
func (l *lines) due(text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	for key, at := range l.told {
		if now.Sub(at) >= againEvery {
			delete(l.told, key)
		}
	}
	key := varying.ReplaceAllString(text, "#")
	_, lately := l.told[key]
	if !lately {
		l.told[key] = now
	}
	return !lately
}

// varying is what differs between lines that say the same: the number of a
// connection and the port that it comes from, durations.
var varying = regexp.MustCompile(`:[0-9]+ - [a-z]+:[0-9]+ - |\b[0-9.]+(ms|s|µs)\b`)

const nameTaken = "another server of the cluster has the name of this one"

// words are what lines of the server mean.
var words = []struct {
	line *regexp.Regexp
	says string // "" for nothing
}{
	{regexp.MustCompile(`^Plaintext passwords detected`), ""}, // tokens are long and random
	{regexp.MustCompile(`processRemoteSub Parse Error`), ""},  // of a route that has just been refused
	{regexp.MustCompile(`^Waiting for routing to be established`), "no other server of the cluster is there yet"},
	{regexp.MustCompile(`contact with a meta leader`), "too few servers of the cluster are there, want more than half of them"},
	{regexp.MustCompile(`^(\S+):\d+ - rid:\d+ - Remote server has a duplicate name: "(.*)"$`), nameTaken + `, $2: one on $1 wants to join; want another --server there`},
	{regexp.MustCompile(`^(\S+):\d+ - rid:\d+ - authentication error`), "a server on $1 is kept out: its owner token is not ours; the servers of a cluster share both tokens, see --owner-token-file"},
	{regexp.MustCompile(`^(\S+:\d+) - rid:\d+ - Route Error 'Authorization Violation'`), "the server at $1 keeps us out: our owner token is not its; the servers of a cluster share both tokens, see --owner-token-file"},
	{regexp.MustCompile(`^Error trying to connect to route .*: dial tcp (\S+:\d+): (?:connect: )?(.*)$`), "the server at $1 cannot be reached: $2"},
	{regexp.MustCompile(`^Error trying to connect to route .*: lookup (\S+?)(?: on \S+)?: (.*)$`), "the server $1 cannot be found: $2"},
}

// inWords says a line of the server in plain words, when it is one of those that
// people meet.
func inWords(text string) string {
	for _, w := range words {
		if m := w.line.FindStringSubmatchIndex(text); m != nil {
			return string(w.line.ExpandString(nil, w.says, text, m))
		}
	}
	return text
}

// Noticef and its like are what the server asks of a log.
func (l *lines) Noticef(string, ...any)         {}
func (l *lines) Debugf(string, ...any)          {}
func (l *lines) Tracef(string, ...any)          {}
func (l *lines) Warnf(format string, v ...any)  { l.tell(format, v) }
func (l *lines) Errorf(format string, v ...any) { l.keep(format, v) }
func (l *lines) Fatalf(format string, v ...any) { l.keep(format, v) }

func (l *lines) keep(format string, v []any) {
	l.mu.Lock()
	l.last = fmt.Sprintf(format, v...)
	l.mu.Unlock()
	l.tell(format, v)
}
