package game

import (
	"strings"
	"testing"
)

func TestParseSettings(t *testing.T) {
	for text, want := range map[string]Settings{
		"":                                Plain,
		"plain":                           Plain,
		" plain ":                         Plain,
		"table=0":                         {},
		"table=20":                        Plain,
		"null=none":                       Plain,
		"null=checked":                    {Table: 20, Null: CheckedNull, R: 2},
		"null=verified,r=3,quiet=3,late":  {Table: 20, Null: VerifiedNull, R: 3, Quiet: 3, Late: true},
		"late, r=2 ,null=plain":           {Table: 20, Null: PlainNull, R: 2, Late: true},
		"null=checked,r=10,near=12,twice": {Table: 20, Null: CheckedNull, R: 10, Near: 12, Twice: true},
		"bad=150,good=200,singular=100":   {Table: 20, Bad: 150, Good: 200, Singular: 100},
		"table=4,bad=32000":               {Table: 4, Bad: MaxPoints},
	} {
		got, err := ParseSettings(text)
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v, want %+v", text, got, err, want)
		}
	}
}

func TestBadSettings(t *testing.T) {
	for text, want := range map[string]string{
		"depth=3":                    `no setting "depth", want some of table=N, null=none|plain|checked|verified, r=N, near=N, twice, bad=N, good=N, singular=N, late, quiet=N, or plain alone`,
		"plain,late":                 `no setting "plain"`,
		"Late":                       `no setting "Late"`,
		"late,":                      `no setting ""`,
		",":                          `no setting ""`,
		"null=off,r=2":               `null move "off"`,
		"null":                       `null move ""`,
		"late,late":                  "late twice",
		"quiet=1,quiet=1":            "quiet twice",
		"late=1":                     "late takes no value",
		"twice=":                     "twice takes no value",
		"quiet":                      `quiet="", want a number from 0 to 1000`,
		"quiet=-1":                   `quiet="-1", want a number`,
		"quiet=+1":                   `quiet="+1", want a number`,
		"quiet=1001":                 `quiet="1001", want a number`,
		"bad=32001":                  `bad="32001", want a number from 0 to 32000`,
		"good=99999999999999999999":  "want a number from 0 to 32000",
		"table=31":                   "2^31",
		"null=verified,r=0":          "R = 0, want 1 to 10",
		"null=plain,r=11":            "R = 11",
		"r=2":                        "null moves are off",
		strings.Repeat("x", 1000):    "xxx...",
		"null=plain,r=1,bad= 5":      `bad=" 5", want a number`,
		"null=verified,r=3,r=3,late": "r twice",
	} {
		s, err := ParseSettings(text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 400 {
			t.Errorf("%q: %v, %v, want %q", text, s, err, want)
		}
	}
}

func TestSettingsString(t *testing.T) {
	for want, s := range map[string]Settings{
		"plain":                          Plain,
		"table=0":                        {},
		"null=verified,r=3,late,quiet=3": {Table: 20, Null: VerifiedNull, R: 3, Quiet: 3, Late: true},
		"table=16,null=plain,r=2,near=8,twice,bad=1,good=2,singular=3,late,quiet=4": {
			16, PlainNull, 2, 8, true, 1, 2, 3, true, 4,
		},
	} {
		if got := s.String(); got != want {
			t.Errorf("%+v: %s, want %s", s, got, want)
		}
		if back, err := ParseSettings(want); back != s {
			t.Errorf("%s: read as %v, %v", want, back, err)
		}
	}
}

func FuzzParseSettings(f *testing.F) {
	for _, text := range []string{"", "plain", "table=0", "null=verified,r=3,quiet=3,late", "bad=1,good=2,singular=3,near=4,twice", "null=\x00", "=,=", "r=2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSettings(text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q: more than one line: %v", text, err)
			}
			return
		}
		if err := s.Check(); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if back, err := ParseSettings(s.String()); err != nil || back != s {
			t.Fatalf("%q: %+v is written as %v, read as %+v, %v", text, s, s, back, err)
		}
	})
}
