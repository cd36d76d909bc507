package uai

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"lastmile/game/virus"
)

// start is what the word startpos means.
func start(rules virus.Rules) virus.Position { return virus.Start(rules, 7, 7) }

// setPosition obeys "startpos" or "fen F", and "moves M ..." after it.
func (e *engine) setPosition(words []string) error {
	p, err := parsePosition(e.knobs.rules, words)
	if err != nil {
		return err
	}
	e.position = p
	return nil
}

// parsePosition reads what follows the word position.
func parsePosition(rules virus.Rules, words []string) (virus.Position, error) {
	if len(words) == 0 {
		return virus.Position{}, errors.New("nothing given, want startpos, or fen and a position")
	}
	before, moves := words, []string(nil)
	if i := slices.Index(words, "moves"); i >= 0 {
		before, moves = words[:i], words[i+1:]
	}
	p := start(rules)
	switch {
	case len(before) == 1 && before[0] == "startpos":
	case len(before) > 0 && before[0] == "fen":
		var err error
		if p, err = virus.ParseFEN(rules, strings.Join(before[1:], " ")); err != nil {
			return p, err
		}
	default:
		return p, fmt.Errorf("%q, want startpos, or fen and a position, and then moves if any", clip(strings.Join(before, " ")))
	}
	for i, word := range moves {
		m, err := p.ParseMove(clip(word))
		if err != nil {
			return p, fmt.Errorf("move %d of %d: %w", i+1, len(moves), err)
		}
		p = p.Play(m)
	}
	return p, nil
}
