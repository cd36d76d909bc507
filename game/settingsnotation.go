package game

import (
	"fmt"
	"strconv"
	"strings"
)

// settingNames are the names of the settings, in the order in which they are
// written.
var settingNames = []struct {
	name string
	at   func(s *Settings) any // *int, *Points, *bool or *NullMove
}{
	{"table", func(s *Settings) any { return &s.Table }},
	{"null", func(s *Settings) any { return &s.Null }},
	{"r", func(s *Settings) any { return &s.R }},
	{"near", func(s *Settings) any { return &s.Near }},
	{"twice", func(s *Settings) any { return &s.Twice }},
	{"bad", func(s *Settings) any { return &s.Bad }},
	{"good", func(s *Settings) any { return &s.Good }},
	{"singular", func(s *Settings) any { return &s.Singular }},
	{"late", func(s *Settings) any { return &s.Late }},
	{"quiet", func(s *Settings) any { return &s.Quiet }},
}

// plainName is how Plain is written.
const plainName = "plain"

// String writes what differs from Plain, as in null=verified,r=3,late, and plain
// where nothing does. ParseSettings reads it.
func (s Settings) String() string {
	var parts []string
	plain := Plain
	for _, n := range settingNames {
		switch v := n.at(&s).(type) {
		case *bool:
			if *v {
				parts = append(parts, n.name)
			}
		case *int:
			if *v != *n.at(&plain).(*int) {
				parts = append(parts, fmt.Sprintf("%s=%d", n.name, *v))
			}
		case *Points:
			if *v != *n.at(&plain).(*Points) {
				parts = append(parts, fmt.Sprintf("%s=%d", n.name, *v))
			}
		case *NullMove:
			if *v != plain.Null {
				parts = append(parts, fmt.Sprintf("%s=%v", n.name, *v))
			}
		}
	}
	if len(parts) == 0 {
		return plainName
	}
	return strings.Join(parts, ",")
}

// ParseSettings reads settings as String writes them: parts with commas between
// them, each changing one thing of Plain. Plain and an empty text are Plain.
// Points go up to MaxPoints. Null moves without an R have R = 2.
func ParseSettings(text string) (Settings, error) {
	s := Plain
	trimmed := strings.TrimSpace(text)
	if trimmed == "" || trimmed == plainName {
		return s, nil
	}
	given := map[string]bool{}
	for part := range strings.SplitSeq(trimmed, ",") {
		part = strings.TrimSpace(part)
		name, value, valued := strings.Cut(part, "=")
		if given[name] {
			return Plain, fmt.Errorf("settings %q: %s twice, want each once", clip(text), name)
		}
		if err := s.set(name, value, valued); err != nil {
			return Plain, fmt.Errorf("settings %q: %w", clip(text), err)
		}
		given[name] = true
	}
	if s.Null != NoNull && !given["r"] {
		s.R = usualR
	}
	if err := s.Check(); err != nil {
		return Plain, fmt.Errorf("settings %q: %w", clip(text), err)
	}
	return s, nil
}

// set gives one setting its value.
func (s *Settings) set(name, value string, valued bool) error {
	for _, n := range settingNames {
		if n.name != name {
			continue
		}
		at := n.at(s)
		on, isSwitch := at.(*bool)
		switch {
		case isSwitch && valued:
			return fmt.Errorf("%s takes no value, want %s alone, or leave it out", name, name)
		case isSwitch:
			*on = true
			return nil
		}
		if null, is := at.(*NullMove); is {
			way, err := NullMoveNamed(clip(value))
			*null = way
			return err
		}
		most, bits := int64(MaxPoints), 32
		if _, is := at.(*int); is {
			most, bits = maxSetting, 64
		}
		v, err := strconv.ParseUint(value, 10, bits)
		if err != nil || int64(v) > most {
			return fmt.Errorf("%s=%q, want a number from 0 to %d", name, clip(value), most)
		}
		switch at := at.(type) {
		case *int:
			*at = int(v)
		case *Points:
			*at = Points(v)
		}
		return nil
	}
	return fmt.Errorf("no setting %q, want %s", clip(name), settingsWanted())
}

// usualR is the reduction of null moves that none is given for.
const usualR = 2

// maxSetting bounds the numbers that are read; Check bounds some of them closer.
const maxSetting = 1000

// settingsWanted lists what can be given.
func settingsWanted() string {
	var parts []string
	for _, n := range settingNames {
		switch n.at(new(Settings)).(type) {
		case *bool:
			parts = append(parts, n.name)
		case *NullMove:
			parts = append(parts, n.name+"="+strings.Join(nullNames[:], "|"))
		default:
			parts = append(parts, n.name+"=N")
		}
	}
	return "some of " + strings.Join(parts, ", ") + ", or " + plainName + " alone"
}

// clip shortens what somebody has given, to be shown.
func clip(text string) string {
	if len(text) > 80 {
		return text[:80] + "..."
	}
	return text
}
