package chart

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

func sample() *Chart {
	return &Chart{
		Title: `Nodes of a hole & "its" <proof>`, XLabel: "cells", YLabel: "nodes", LogY: true,
		Series: []Series{
			{Name: "official", Kind: Line, X: Numbers{8, 16, 24}, Y: Numbers{210, math.NaN(), 1.4e7}},
			{Name: "never run", Kind: Line},
			{Name: "generated <1>", Kind: Points, X: Numbers{8, 16}, Y: Numbers{90, 7000}, Low: Numbers{50, math.NaN()}, High: Numbers{190, math.NaN()}},
		},
	}
}

// texts reads a picture as XML, and returns what is written on it.
func texts(t *testing.T, svg []byte) (all []string) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(svg))
	inText := false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			inText = token.Name.Local == "text"
		case xml.CharData:
			if inText {
				all = append(all, string(token))
			}
		case xml.EndElement:
			inText = false
		}
	}
}

func TestPicture(t *testing.T) {
	c := sample()
	svg, err := c.SVG()
	if err != nil {
		t.Fatal(err)
	}
	written := texts(t, svg)
	for _, want := range []string{c.Title, "cells", "nodes", "official", "generated <1>", "5", "25", "10²", "10⁷"} {
		if !slices.Contains(written, want) {
			t.Errorf("%q is not written: %q", want, written)
		}
	}
	if slices.Contains(written, "never run") {
		t.Error("a series without points is in the legend")
	}
	// Two points were measured, two in the other series, and the legend shows each mark.
	for i, want := range map[int]int{0: 3, 2: 3} {
		r, g, b, _ := colours[i].RGBA()
		fill := []byte("fill:#" + hex(r) + hex(g) + hex(b))
		if got := bytes.Count(svg, fill); got != want {
			t.Errorf("series %d: %d marks, want %d", i, got, want)
		}
	}
	for range 3 {
		again, err := sample().SVG()
		if err != nil || !bytes.Equal(again, svg) {
			t.Fatalf("the same chart gives another picture (%v)", err)
		}
	}
	if len(svg) > 20_000 {
		t.Errorf("%d bytes", len(svg))
	}
}

func hex(c uint32) string {
	const digits = "0123456789ABCDEF"
	return string([]byte{digits[c>>12&15], digits[c>>8&15]})
}

// Nothing to show is a picture too, on any axes.
func TestEmpty(t *testing.T) {
	nan := math.NaN()
	for name, series := range map[string][]Series{
		"no series": nil, "no points": {{Name: "a", Kind: Line}, {Kind: Points, X: Numbers{}, Y: Numbers{}}},
		"not measured": {{Name: "a", Kind: Points, X: Numbers{1, nan}, Y: Numbers{nan, 1}, Low: Numbers{nan, nan}, High: Numbers{nan, nan}}},
	} {
		for _, log := range []bool{false, true} {
			c := Chart{LogX: log, LogY: log, Series: series}
			svg, err := c.SVG()
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if w := texts(t, svg); len(w) == 0 || bytes.Contains(svg, []byte("NaN")) {
				t.Errorf("%s: %q written, or NaN drawn", name, w)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	one := Numbers{1}
	for want, s := range map[string]Series{
		`kind ""`:                    {X: one, Y: one},
		"2 x and 1 y":                {Kind: Line, X: Numbers{1, 2}, Y: one},
		"1 low and 0 high":           {Kind: Points, X: one, Y: one, Low: one},
		"want none or 1":             {Kind: Points, X: one, Y: one, Low: Numbers{1, 2}, High: Numbers{1, 2}},
		"x is 0, want more":          {Kind: Line, X: Numbers{0}, Y: one},
		"y is -1, want more":         {Kind: Line, X: one, Y: Numbers{-1}},
		"point 1: y is 0, want":      {Kind: Points, X: Numbers{1, 2}, Y: Numbers{1, 1}, Low: Numbers{1, 0}, High: Numbers{1, 2}},
		"y is +Inf":                  {Kind: Line, X: one, Y: Numbers{math.Inf(1)}},
		"y is 1e-310":                {Kind: Line, X: one, Y: Numbers{1e-310}},
		"want it within its whisker": {Kind: Points, X: one, Y: one, Low: Numbers{2}, High: Numbers{3}},
	} {
		c := Chart{Title: "bad", LogX: true, LogY: true, Series: []Series{{Name: "good", Kind: Line, X: one, Y: one}, s}}
		if svg, err := c.SVG(); err == nil || svg != nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `"bad"`) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	c := Chart{Series: []Series{{Kind: Line, X: Numbers{0}, Y: Numbers{-1}}}}
	if _, err := c.SVG(); err != nil {
		t.Errorf("linear axes: %v", err)
	}
}

func TestJSON(t *testing.T) {
	text, err := json.Marshal(sample().Series)
	want := `[{"name":"official","kind":"line","x":[8,16,24],"y":[210,null,14000000]},` +
		`{"name":"never run","kind":"line","x":[],"y":[]},` +
		`{"name":"generated \u003c1\u003e","kind":"points","x":[8,16],"y":[90,7000],"low":[50,null],"high":[190,null]}]`
	if err != nil || string(text) != want {
		t.Errorf("%v\n%s, want\n%s", err, text, want)
	}
}

// No two series look alike until every colour has had every mark.
func TestInks(t *testing.T) {
	seen := map[any]bool{}
	for i := range len(colours) * len(marks) {
		k := inkOf(i)
		look := [2]any{k.mark.Color, k.mark.Shape}
		if seen[look] {
			t.Fatalf("series %d looks like one before it", i)
		}
		seen[look] = true
	}
}
