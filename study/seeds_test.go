package study

import (
	"slices"
	"strings"
	"testing"
)

func TestParseSeeds(t *testing.T) {
	for _, c := range []struct {
		text  string
		want  []uint64
		again string // as FormatSeeds writes it
	}{
		{"1-5", []uint64{1, 2, 3, 4, 5}, "1-5"},
		{"7", []uint64{7}, "7"},
		{"0", []uint64{0}, "0"},
		{"3-3", []uint64{3}, "3"},
		{"1,2,7-9", []uint64{1, 2, 7, 8, 9}, "1,2,7-9"},
		{" 9 , 1 - 3", []uint64{9, 1, 2, 3}, "9,1-3"},
		{"18446744073709551614-18446744073709551615", []uint64{1<<64 - 2, 1<<64 - 1}, "18446744073709551614,18446744073709551615"},
	} {
		got, err := ParseSeeds(c.text)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, %v, want %v", c.text, got, err, c.want)
		}
		if again := FormatSeeds(got); again != c.again {
			t.Errorf("%q is written as %q, want %q", c.text, again, c.again)
		}
	}
}

func TestParseSeedsRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "whole numbers",
		"one":                    "whole numbers",
		"1,,2":                   "whole numbers",
		"-3":                     "whole numbers",
		"1-":                     "whole numbers",
		"1-2-3":                  "whole numbers",
		"1.5":                    "whole numbers",
		"0x10":                   "whole numbers",
		"18446744073709551616":   "whole numbers",
		"5-1":                    "1-5",
		"1-5,3":                  "3 comes twice",
		"7,7":                    "7 comes twice",
		"1-100000":               "10000 seeds",
		"1-9000,10001-20000":     "10000 seeds",
		"0-18446744073709551615": "10000 seeds",
	} {
		_, err := ParseSeeds(text)
		switch {
		case err == nil:
			t.Errorf("%q was accepted", text)
		case !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n"):
			t.Errorf("%q: %q, want one line that says %q", text, err, want)
		}
	}
}
