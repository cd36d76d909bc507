package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"lastmile/census"
)

type censusCommand struct {
	Name string `arg:"" default:"all" help:"What to count: all, pieces, half-edges, 1x2 or 2x2."`
	pieceFlags
	JSON bool `name:"json" help:"Print one JSON document."`
}

func (c *censusCommand) Run(t *terminal) error {
	d, err := c.pieces(t)
	if err != nil {
		return err
	}
	var counts []census.Count
	switch c.Name {
	case "all":
		counts = census.All(d.Puzzle)
	case "pieces":
		counts = census.Pieces(d.Puzzle)
	case "half-edges":
		counts = census.HalfEdges(d.Puzzle)
	case "1x2":
		counts = census.Dominoes(d.Puzzle)
	case "2x2":
		counts = census.TwoByTwo(d.Puzzle)
	default:
		return badf("census of %q, want all, pieces, half-edges, 1x2 or 2x2", c.Name)
	}
	if c.JSON {
		return printJSON(t.out, counts)
	}
	w := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, n := range counts {
		fmt.Fprintf(w, "%s\t%s\t\n", n.Name, thousands(n.Count))
	}
	return w.Flush()
}

// thousands groups digits by three.
func thousands(n int64) string {
	text := fmt.Sprint(n)
	var groups []string
	for len(text) > 3 {
		groups = append([]string{text[len(text)-3:]}, groups...)
		text = text[:len(text)-3]
	}
	return strings.Join(append([]string{text}, groups...), ",")
}
