package main

import (
	"fmt"
	"strconv"
	"strings"
)

// size is a number of bytes, written as 500MB, 2GiB or 4096.
type size int64

// units of a size, longer names before their ends.
var units = []struct {
	name  string
	bytes float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}, {"", 1},
}

// UnmarshalText reads a size; units may be in any case.
func (s *size) UnmarshalText(text []byte) error {
	for _, u := range units {
		at := len(text) - len(u.name)
		if at < 0 || !strings.EqualFold(string(text[at:]), u.name) {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(string(text[:at])), 64)
		if err != nil || !(n >= 0 && n*u.bytes < 1<<62) {
			break
		}
		*s = size(n * u.bytes)
		return nil
	}
	return fmt.Errorf("%q is no size, want one such as 500MB or 2GiB", text)
}

// String is the size in three digits or so.
func (s size) String() string {
	for _, u := range []struct {
		name  string
		bytes float64
	}{{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}} {
		if x := float64(s) / u.bytes; x >= 1 {
			return fmt.Sprintf("%.1f %s", x, u.name)
		}
	}
	return fmt.Sprintf("%d bytes", int64(s))
}
