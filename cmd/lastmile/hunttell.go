package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"lastmile/draw"
	"lastmile/hunt"
	"lastmile/hunt/archive"
	"lastmile/notation"
)

type huntStatusCommand struct {
	huntFolder
	Choices int  `positive:"" placeholder:"N" help:"Tell the last N choices of a way to make boards too, and by which shares they were made."`
	JSON    bool `name:"json" help:"Print one JSON document."`
}

func (c *huntStatusCommand) Run(t *terminal) error {
	if c.Choices < 0 {
		return badf("--choices %d, want 1 or more", c.Choices)
	}
	s, err := hunt.Look(c.Dir)
	if err != nil {
		return bad{err}
	}
	var choices []archive.Choice
	if c.Choices > 0 {
		if choices, err = hunt.Choices(c.Dir, c.Choices); err != nil {
			return bad{err}
		}
	}
	// The archive says what was, and the folder whether somebody is there.
	if s.Running = hunt.Held(c.Dir); !s.Running {
		s.Workers, s.Results, s.Trouble, s.Stopping = []hunt.Worker{}, 0, "", false
	}
	if c.JSON {
		return printJSON(t.out, struct {
			hunt.Status
			Choices []archive.Choice `json:"choices,omitempty"`
		}{s, choices})
	}
	if err := tellStatus(t.out, &s); err != nil || len(choices) == 0 {
		return err
	}
	return tellChoices(t.out, choices, &s)
}

// tellChoices lists choices with the names of the ways, and the share of each.
func tellChoices(out io.Writer, choices []archive.Choice, s *hunt.Status) error {
	var text bytes.Buffer
	fmt.Fprintln(&text)
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "made\tcampaign\tjob\tchosen\tits share\tscore")
	for _, x := range choices {
		name, share, score := fmt.Sprint(x.Arm), "", "not yet"
		for _, c := range s.Campaigns {
			if c.Number == x.Campaign && x.Arm >= 0 && x.Arm < len(c.Arms) {
				name = c.Arms[x.Arm].Name
			}
		}
		if x.Arm >= 0 && x.Arm < len(x.Shares) {
			share = fmt.Sprintf("%.0f %%", 100*x.Shares[x.Arm])
		}
		if x.Score >= 0 {
			score = fmt.Sprint(x.Score)
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\n", x.Made.Format(time.DateTime), x.Campaign, x.Job[:12], name, share, score)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := out.Write(text.Bytes())
	return err
}

func tellStatus(out io.Writer, s *hunt.Status) error {
	var text bytes.Buffer
	state := "is not running; hunt start goes on with it"
	if s.Running {
		state = "is running"
	}
	fmt.Fprintf(&text, "hunt %s %s\n%s\n", s.Name, state, printable(huntLine(s)))
	if s.Refused+s.Twice > 0 {
		fmt.Fprintf(&text, "results refused %d, come twice %d\n", s.Refused, s.Twice)
	}
	for _, x := range s.Campaigns {
		over := ""
		if x.Over {
			over = ", over"
		}
		fmt.Fprintf(&text, "\ncampaign %d: %s\n  jobs: %d open, %d queued, %d done, %d failed%s\n", x.Number, printable(x.What), x.Jobs.Open, x.Jobs.Queued, x.Jobs.Done, x.Jobs.Failed, over)
		if e := x.Exhausted; e != nil {
			so := "so far"
			if e.Complete {
				so = "in all"
			}
			fmt.Fprintf(&text, "  %d nodes, %d completions %s, by breaks %v\n", e.Nodes, e.Completions, so, e.ByBreaks)
		}
		if v := x.Certified; v != nil {
			fmt.Fprintf(&text, "  halos: %d proven, %d filled better, %d open\n", v.Proven, v.Found, v.Open)
		}
		if len(x.Arms) > 0 {
			w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "  way\tshare\tjobs\tmean\tbest\tseconds a job")
			for _, a := range x.Arms {
				if a.Uses == 0 {
					fmt.Fprintf(w, "  %s\t%.0f %%\t0\t\t\t\n", a.Name, 100*a.Share)
					continue
				}
				fmt.Fprintf(w, "  %s\t%.0f %%\t%d\t%.1f\t%d\t%.1f\n", a.Name, 100*a.Share, a.Uses, a.Mean, a.Best, a.Seconds/float64(a.Uses))
			}
			w.Flush()
		}
	}
	if len(s.Workers) > 0 {
		fmt.Fprintln(&text)
		w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "worker\tslots\tbusy\tjobs\tnodes/s\titerations/s\theard")
		for _, x := range s.Workers {
			skew := ""
			if x.Skew > 60 || x.Skew < -60 {
				skew = fmt.Sprintf("; its clock is %s off, times here are the coordinator's", time.Duration(x.Skew*float64(time.Second)).Round(time.Second))
			}
			fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\t%s\t%.0f s ago%s\n", printable(x.Name), x.Slots, x.Busy, x.Done, short(x.Nodes), short(x.Iterations), x.Seen, skew)
		}
		w.Flush()
	}
	_, err := out.Write(text.Bytes())
	return err
}

// huntFilter chooses boards of the archive.
type huntFilter struct {
	Top   int `default:"20" placeholder:"N" help:"How many; 0 for all. Default: 20."`
	Score int `placeholder:"N" help:"Only boards that score so much or more."`
	Held  int `placeholder:"N" help:"Only boards that hold so many clues or more."`
}

func (f *huntFilter) filter() (archive.Filter, error) {
	if f.Top < 0 || f.Score < 0 || f.Held < 0 {
		return archive.Filter{}, badf("--top, --score and --held want 0 or more")
	}
	return archive.Filter{Most: f.Top, Score: f.Score, Clues: f.Held}, nil
}

// archivedRow is a board of the archive in JSON.
type archivedRow struct {
	ID      string    `json:"id"`
	Score   int       `json:"score"`
	Breaks  int       `json:"breaks"`
	Clues   int       `json:"clues"`
	Corners [4]int    `json:"corners"`
	Like    int       `json:"like"` // further boards of its family, among those listed
	Found   time.Time `json:"found"`
	Seen    int       `json:"seen"`
	Worker  string    `json:"worker"`
	Version string    `json:"version"`
	Job     string    `json:"job"`
	Made    string    `json:"made"`
	URL     string    `json:"url,omitempty"`
	Board   string    `json:"board,omitempty"` // where no link can carry it
}

func rowOf(x hunt.Kept) (archivedRow, error) {
	r := archivedRow{
		ID: x.ID, Score: x.Score, Breaks: x.Breaks, Clues: x.Clues, Corners: x.Corners, Found: x.Found, Seen: x.Seen,
		Worker: x.Worker, Version: x.Version, Job: x.Job, Made: x.Made,
	}
	d, err := hunt.Document(x.Board, x.Puzzle)
	if err != nil {
		return r, err
	}
	if r.URL = linkTo(d); r.URL == "" {
		r.Board = spell(d, "json")
	}
	return r, nil
}

type huntBestCommand struct {
	huntFolder
	huntFilter
	Families bool `help:"Show the best of each family alone: boards with the same corners that differ in less than --apart cells."`
	Apart    int  `default:"12" placeholder:"N" help:"Cells in which boards of two families differ at least. Default: 12."`
	JSON     bool `name:"json" help:"Print one JSON document."`
}

func (c *huntBestCommand) Run(t *terminal) error {
	f, err := c.filter()
	if err != nil {
		return err
	}
	if c.Apart < 1 {
		return badf("--apart %d, want 1 or more", c.Apart)
	}
	list, err := hunt.Chosen(c.Dir, f)
	if err != nil {
		return bad{err}
	}
	rows := []archivedRow{}
	for _, family := range families(list, c.Families, c.Apart) {
		r, err := rowOf(family.leader)
		if err != nil {
			return err
		}
		r.Like = family.others
		rows = append(rows, r)
	}
	if c.JSON {
		best := -1
		if len(rows) > 0 {
			best = rows[0].Score
		}
		return printJSON(t.out, struct {
			Best   int           `json:"best"`
			Boards []archivedRow `json:"boards"`
		}{best, rows})
	}
	if len(rows) == 0 {
		fmt.Fprintln(t.err, "the archive has no such board")
		return errFailed
	}
	return tellRows(t.out, rows)
}

func tellRows(out io.Writer, rows []archivedRow) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "score\tbreaks\tclues\tcorners\tlike it\tfound\tid\tmade by")
	for _, r := range rows {
		fmt.Fprintf(w, "%d\t%d\t%d\t%v\t%d\t%s\t%s\t%s\n", r.Score, r.Breaks, r.Clues, r.Corners, r.Like, r.Found.Format(time.DateTime), r.ID[:12], printable(r.Made))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if rows[0].URL != "" {
		_, err := fmt.Fprintf(out, "\nthe best: %s\n", rows[0].URL)
		return err
	}
	return nil
}

// family is boards that are alike, with the best of them.
type family struct {
	leader hunt.Kept
	others int
}

// families sorts boards into families, or leaves each to itself.
func families(list []hunt.Kept, sorted bool, apart int) []family {
	var all []family
	if !sorted {
		for _, x := range list {
			all = append(all, family{leader: x})
		}
		return all
	}
	for len(list) > 0 {
		p := list[0].Puzzle
		var boards []*archive.Board
		list = slices.DeleteFunc(slices.Clone(list), func(x hunt.Kept) bool {
			if x.Puzzle == p {
				boards = append(boards, x.Board)
			}
			return x.Puzzle == p
		})
		found, err := archive.Families(p, boards, apart)
		if err != nil {
			continue // a board that cannot be read shows itself when it is written
		}
		for _, f := range found {
			all = append(all, family{hunt.Kept{Board: f.Leader, Puzzle: p}, f.Others})
		}
	}
	slices.SortStableFunc(all, func(a, b family) int { return b.leader.Score - a.leader.Score })
	return all
}

type huntExportCommand struct {
	huntFolder
	huntFilter
	Board string `placeholder:"ID" help:"This board alone: the beginning of its id."`
	To    string `default:"bucas" placeholder:"DIALECT" help:"What to write. Drawings: text, svg, png; rows for all that is known, as JSON. Dialects: ${dialects}. Default: bucas."`
	Out   string `short:"o" placeholder:"FILE" help:"Write to this file instead of standard output."`
}

func (c *huntExportCommand) Run(t *terminal) error {
	if names := append(append(slices.Clone(draw.Forms), "rows"), dialectNames()...); !slices.Contains(names, c.To) {
		return badf("--to %s, want one of %s", printable(c.To), strings.Join(names, ", "))
	}
	f, err := c.filter()
	if err != nil {
		return err
	}
	if c.Board != "" {
		f.Most = 0
	}
	list, err := hunt.Chosen(c.Dir, f)
	if err != nil {
		return bad{err}
	}
	if c.Board != "" {
		list = slices.DeleteFunc(list, func(x hunt.Kept) bool { return !strings.HasPrefix(x.ID, c.Board) })
	}
	switch {
	case len(list) == 0:
		fmt.Fprintln(t.err, "the archive has no such board")
		return errFailed
	case len(list) > 1 && c.To != "rows" && !holdsMany(c.To):
		return badf("%d boards, want one: %s holds one; choose it with --board or --top 1", len(list), c.To)
	}
	var out bytes.Buffer
	if c.To == "rows" {
		rows := []archivedRow{}
		for _, x := range list {
			r, err := rowOf(x)
			if err != nil {
				return err
			}
			rows = append(rows, r)
		}
		if err := printJSON(&out, rows); err != nil {
			return err
		}
		return t.write(c.Out, out.Bytes())
	}
	one := convertCommand{To: c.To}
	for _, x := range list {
		d, err := hunt.Document(x.Board, x.Puzzle)
		if err != nil {
			return err
		}
		if err := one.write(&out, d); err != nil {
			return bad{err}
		}
	}
	return t.write(c.Out, out.Bytes())
}

type huntImportCommand struct {
	Boards []string `arg:"" name:"board" help:"Boards: files, - for standard input, links or texts, or bundled names. A file may hold many."`
	huntFolder
	boardFlags
}

func (c *huntImportCommand) Run(t *terminal) error {
	type source struct {
		from string
		list []*notation.Document
	}
	var all []source
	for _, name := range c.Boards {
		list, err := c.boards(name, false, t)
		if err != nil {
			return err
		}
		for _, d := range list {
			warn(t, d)
			if err := c.sound(d); err != nil {
				return err
			}
		}
		from := "imported"
		if len(name) <= 100 && !strings.ContainsAny(name, "\n\r=") {
			from += " from " + printable(name)
		}
		all = append(all, source{from, list})
	}
	a, err := archive.Change(hunt.ArchiveIn(c.Dir))
	if err != nil {
		return bad{err}
	}
	defer a.Close()
	added, seen := 0, 0
	for _, s := range all {
		n, err := hunt.Import(a, s.list, s.from, time.Now().UTC())
		if err != nil {
			return badf("%s: %w", s.from, err)
		}
		added += n
		seen += len(s.list) - n
	}
	_, err = fmt.Fprintf(t.out, "%s added, %d known before\n", count(added, "board"), seen)
	return err
}
