package uai

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"

	"lastmile/game"
	"lastmile/game/virus"
)

// knobs are what the options set. R, near and twice are kept while there are no
// null moves, so that options may come in any order.
type knobs struct {
	settings game.Settings
	rules    virus.Rules
	margin   int // ms
}

// entryBits is log2 of the table entries in a megabyte.
const entryBits = 16

// search returns the settings to search with.
func (k *knobs) search() game.Settings {
	s := k.settings
	if s.Null == game.NoNull {
		s.R, s.Near, s.Twice = 0, 0, false
	}
	return s
}

// overhead is the margin.
func (k *knobs) overhead() time.Duration { return time.Duration(k.margin) * time.Millisecond }

// option is a knob that the runner can turn.
type option struct {
	name string
	kind string // what the protocol calls its type
	most string // the words that bound its value
	get  func(*knobs) string
	set  func(*knobs, string) error
}

// options lists them, for tables of so many megabytes at most.
func options(maxHash int) []option {
	return []option{
		spin("Hash", 0, maxHash, megabytes, func(k *knobs, mb int) {
			k.settings.Table = 0
			if mb > 0 {
				k.settings.Table = entryBits + bits.Len(uint(mb)) - 1
			}
		}),
		combo("Rules", []string{virus.Virus.String(), virus.Ataxx.String()},
			func(k *knobs) int { return int(k.rules) }, func(k *knobs, i int) { k.rules = virus.Rules(i) }),
		combo("NullMove", game.NullMoves(),
			func(k *knobs) int { return int(k.settings.Null) }, func(k *knobs, i int) { k.settings.Null = game.NullMove(i) }),
		number("R", 1, 10, func(k *knobs) *int { return &k.settings.R }),
		number("Near", 0, 64, func(k *knobs) *int { return &k.settings.Near }),
		check("Twice", func(k *knobs) *bool { return &k.settings.Twice }),
		number("Bad", 0, int(game.MaxPoints), func(k *knobs) *game.Points { return &k.settings.Bad }),
		number("Good", 0, int(game.MaxPoints), func(k *knobs) *game.Points { return &k.settings.Good }),
		number("Singular", 0, int(game.MaxPoints), func(k *knobs) *game.Points { return &k.settings.Singular }),
		check("Late", func(k *knobs) *bool { return &k.settings.Late }),
		number("Quiet", 0, 8, func(k *knobs) *int { return &k.settings.Quiet }),
		number("Overhead", 0, 10000, func(k *knobs) *int { return &k.margin }),
	}
}

// megabytes is the size of the table, of which the smallest still has one.
func megabytes(k *knobs) int {
	if k.settings.Table == 0 {
		return 0
	}
	return 1 << max(k.settings.Table-entryBits, 0)
}

func spin(name string, low, high int, get func(*knobs) int, set func(*knobs, int)) option {
	return option{
		name, "spin", fmt.Sprintf("min %d max %d", low, high),
		func(k *knobs) string { return strconv.Itoa(get(k)) },
		func(k *knobs, value string) error {
			n, err := strconv.Atoi(value)
			if err != nil || n < low || n > high {
				return fmt.Errorf("%q, want %d to %d", clip(value), low, high)
			}
			set(k, n)
			return nil
		},
	}
}

func number[N int | game.Points](name string, low, high int, at func(*knobs) *N) option {
	return spin(name, low, high, func(k *knobs) int { return int(*at(k)) }, func(k *knobs, n int) { *at(k) = N(n) })
}

func combo(name string, values []string, get func(*knobs) int, set func(*knobs, int)) option {
	return option{
		name, "combo", "var " + strings.Join(values, " var "),
		func(k *knobs) string { return values[get(k)] },
		func(k *knobs, value string) error {
			i := slices.IndexFunc(values, func(v string) bool { return strings.EqualFold(v, value) })
			if i < 0 {
				return fmt.Errorf("%q, want %s", clip(value), strings.Join(values, ", "))
			}
			set(k, i)
			return nil
		},
	}
}

func check(name string, at func(*knobs) *bool) option {
	c := combo(name, []string{"false", "true"}, func(k *knobs) int {
		if *at(k) {
			return 1
		}
		return 0
	}, func(k *knobs, i int) { *at(k) = i == 1 })
	c.kind, c.most = "check", ""
	return c
}

// describe tells the runner of the options.
func (e *engine) describe() {
	for _, o := range e.options {
		e.say("%s", strings.TrimSpace(fmt.Sprintf("option name %s type %s default %s %s", o.name, o.kind, o.get(&e.initial), o.most)))
	}
}

// setOption obeys "name N value V". Other rules begin another game.
func (e *engine) setOption(words []string) error {
	if len(words) != 4 || words[0] != "name" || words[2] != "value" {
		return fmt.Errorf("%q, want name, the option, value and the value", clip(strings.Join(words, " ")))
	}
	i := slices.IndexFunc(e.options, func(o option) bool { return strings.EqualFold(o.name, words[1]) })
	if i < 0 {
		var names []string
		for _, o := range e.options {
			names = append(names, o.name)
		}
		return fmt.Errorf("option %q, want one of %s", clip(words[1]), strings.Join(names, ", "))
	}
	k := e.knobs
	if err := e.options[i].set(&k, words[3]); err != nil {
		return fmt.Errorf("%s: %w", e.options[i].name, err)
	}
	s := k.search()
	if err := s.Check(); err != nil {
		return err
	}
	if s != e.knobs.search() {
		e.search = nil
	}
	if k.rules != e.knobs.rules {
		e.position = start(k.rules)
		e.fresh = true
	}
	e.knobs = k
	return nil
}
