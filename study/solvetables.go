package study

import (
	"fmt"
	"slices"
	"strings"

	"lastmile/puzzle"
)

// solveRun is one run of solve.
type solveRun struct {
	Group      string  `json:"group,omitempty"`
	Seed       uint64  `json:"seed"`
	Score      int     `json:"score"`
	Breaks     int     `json:"breaks"`
	Attempts   int     `json:"attempts"`
	Again      int     `json:"again"`   // of these, how many walked on from the archive
	Archive    int     `json:"archive"` // boards in it at the end
	Method     string  `json:"method"`  // by which the board was built
	Order      string  `json:"order"`
	Width      int     `json:"width"`
	Built      int     `json:"built"` // its score before polishing
	Walks      int     `json:"walks"` // from the archive, that have led from it to the best
	Nodes      int64   `json:"nodes"`
	Iterations int64   `json:"iterations"`
	Seconds    float64 `json:"seconds"`
	Board      string  `json:"board"` // a link
	Fault      string  `json:"fault,omitempty"`

	puzzle     *puzzle.Puzzle
	placements []puzzle.Placement
}

func (s solveRun) label() string {
	return strings.TrimPrefix(fmt.Sprintf("%s-seed-%d", s.Group, s.Seed), "-")
}

// from says which beam the board comes from.
func (s solveRun) from() string {
	switch {
	case s.Order == "":
		return "–"
	case s.Width == 0:
		return s.Order + ", depth first"
	}
	return fmt.Sprintf("%s, width %s", s.Order, grouped(int64(s.Width)))
}

// solveRunTable shows runs, and enters the links to their boards.
func solveRunTable(title string, r *Report, runs []solveRun) Table {
	for i := range runs {
		if s := &runs[i]; s.placements != nil {
			s.Board = r.link(s.label(), s.puzzle, s.placements)
		}
	}
	of := func(name string, text func(solveRun) string) column[solveRun] { return column[solveRun]{name, text} }
	columns := []column[solveRun]{
		of("group", func(s solveRun) string { return s.Group }),
		of("seed", func(s solveRun) string { return fmt.Sprint(s.Seed) }),
		of("score", func(s solveRun) string {
			if s.Fault != "" {
				return "failed"
			}
			return fmt.Sprint(s.Score)
		}),
		of("breaks", func(s solveRun) string { return fmt.Sprint(s.Breaks) }),
		of("attempts", func(s solveRun) string { return fmt.Sprint(s.Attempts) }),
		of("again", func(s solveRun) string { return fmt.Sprint(s.Again) }),
		of("best from", solveRun.from),
		of("built", func(s solveRun) string { return fmt.Sprint(s.Built) }),
		of("walks", func(s solveRun) string { return fmt.Sprint(s.Walks) }),
		of("archive", func(s solveRun) string { return fmt.Sprint(s.Archive) }),
		of("nodes", func(s solveRun) string { return grouped(s.Nodes) }),
		of("iterations", func(s solveRun) string { return grouped(s.Iterations) }),
		of("seconds", func(s solveRun) string { return fmt.Sprintf("%.2f", s.Seconds) }),
		of("board", func(s solveRun) string {
			if s.Board == "" {
				return "–"
			}
			return reference("board", s.label())
		}),
	}
	if !slices.ContainsFunc(runs, func(s solveRun) bool { return s.Group != "" }) {
		columns = columns[1:]
	}
	return tabulate(title, "built is the score of the board that the best comes from, before polishing; again counts attempts that walked on from a board of the archive, walks those that led from the built board to the best; archive is the boards in it at the end", runs, columns...)
}

// solveGroupRow sums up a group.
type solveGroupRow struct {
	Group string  `json:"group"`
	Runs  int     `json:"runs"`
	Score Summary `json:"score"`
	Peers []peer  `json:"peers"`
}

func solveGroupTable(rows []solveGroupRow) Table {
	of := func(name string, text func(solveGroupRow) string) column[solveGroupRow] {
		return column[solveGroupRow]{name, text}
	}
	return tabulate("groups", "low and high bound the mean with 95 % confidence, by Student's t; peers are the best figures of those in the next table", rows,
		of("group", func(s solveGroupRow) string { return s.Group }),
		of("n", func(s solveGroupRow) string { return fmt.Sprint(s.Score.N) }),
		of("mean", func(s solveGroupRow) string { return short(s.Score.Mean) }),
		of("sd", func(s solveGroupRow) string { return short(s.Score.SD) }),
		of("min", func(s solveGroupRow) string { return short(s.Score.Min) }),
		of("best", func(s solveGroupRow) string { return short(s.Score.Max) }),
		of("low", func(s solveGroupRow) string { return short(s.Score.Lowest) }),
		of("high", func(s solveGroupRow) string { return short(s.Score.Highest) }),
		of("best of the peers", func(s solveGroupRow) string {
			if len(s.Peers) == 0 {
				return "–"
			}
			best := 0
			for _, p := range s.Peers {
				best = max(best, slices.Max(p.Scores))
			}
			return fmt.Sprint(best)
		}),
	)
}

// peer is what somebody else has published of a group.
type peer struct {
	Group  string `json:"group"`
	By     string `json:"by"`
	Scores []int  `json:"scores"` // of runs, or the lowest and the highest
	Range  bool   `json:"range"`
}

// peers are published figures, of other machines and other times.
var peers = []peer{
	{"five", "a beam of 16,384 in comb order", []int{452, 455}, true},
	{"five", "ALNS from the boards of that beam", []int{453, 455}, true},
	{"five", "a beam of 80,000, with eight pieces pinned", []int{456}, false},
	{"five", "break-index search", []int{437, 441}, true},
	{"starter", "a public port of the record solver, its last cells filled exactly", []int{462, 463, 462}, false},
	{"starter", "a beam in comb order", []int{455, 457}, false},
	{"starter", "a ladder of widths", []int{447}, false},
	{"starter", "a beam of 65,536", []int{455, 458}, false},
	{"none", "a public port of the record solver in C, its last holes filled exactly", []int{459, 462, 461}, false},
}

func peersOf(group string) []peer {
	return slices.DeleteFunc(slices.Clone(peers), func(p peer) bool { return p.Group != group })
}

func peerTable(groups []solveGroup) Table {
	var rows []peer
	for _, g := range groups {
		rows = append(rows, peersOf(g.Name)...)
	}
	return tabulate("peers, as published", "on other machines and for other times: context, and nothing that was measured here", rows,
		column[peer]{"group", func(p peer) string { return p.Group }},
		column[peer]{"by", func(p peer) string { return p.By }},
		column[peer]{"scores", func(p peer) string {
			if p.Range {
				return fmt.Sprintf("%d to %d", p.Scores[0], p.Scores[1])
			}
			return strings.Trim(strings.ReplaceAll(fmt.Sprint(p.Scores), " ", ", "), "[]")
		}},
	)
}
