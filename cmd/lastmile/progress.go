package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"lastmile/search"
)

// progress shows a search on standard error: one line that is rewritten on a
// terminal, a plain line now and then elsewhere. It also keeps the trace of
// the best score, which --quiet does not turn off.
type progress struct {
	out     io.Writer
	quiet   bool
	limit   time.Duration // of the run, 0 when it has none
	before  time.Duration // spent in earlier sittings
	start   time.Time
	pool    *mpb.Progress
	bar     *mpb.Bar
	plainAt time.Time

	mu    sync.Mutex
	last  search.Event
	best  int
	total int // seams
	trace []point
}

// point is a moment at which the best score rose.
type point struct {
	Seconds float64 `json:"seconds"`
	Score   int     `json:"score"`
	Stage   string  `json:"stage"`
	Stream  int     `json:"stream"`
}

// plainEvery is how often a plain progress line is printed.
const plainEvery = 5 * time.Second

func newProgress(t *terminal, b *bounds, before time.Duration) *progress {
	p := &progress{out: t.err, quiet: b.Quiet, limit: b.Time, before: before, start: time.Now(), best: -1, trace: []point{}}
	if p.quiet {
		return p
	}
	if f, ok := t.err.(*os.File); ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" {
		p.pool = mpb.New(mpb.WithOutput(t.err), mpb.WithWidth(16), mpb.WithRefreshRate(search.Tell))
		p.bar = p.pool.New(1000,
			mpb.BarStyle().Lbound("").Rbound("").Filler("█").Tip("█").Padding("░"),
			mpb.BarRemoveOnComplete(),
			mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return p.head() })),
			mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return p.tail() })),
		)
	}
	return p
}

// Observe takes an event in.
func (p *progress) Observe(e search.Event) {
	p.mu.Lock()
	p.last, p.total = e, e.Max
	rose := e.Kind == search.Improved && e.Score > p.best
	if rose {
		p.best = e.Score
		p.trace = append(p.trace, point{p.elapsed().Seconds(), e.Score, e.Stage, e.Stream})
	}
	p.mu.Unlock()
	if p.quiet {
		return
	}
	if p.bar != nil {
		p.bar.SetCurrent(int64(1000 * p.share()))
	}
	if rose {
		p.print(p.bestLine(e))
	} else if p.bar == nil && e.Kind == search.Progress && time.Since(p.plainAt) >= plainEvery {
		p.plainAt = time.Now()
		p.print(fmt.Sprintf("%6.1fs  %s  %s", p.elapsed().Seconds(), p.head(), p.tail()))
	}
}

// print writes a line above the bar, or just a line.
func (p *progress) print(line string) {
	if p.pool != nil {
		fmt.Fprintln(p.pool, line)
	} else {
		fmt.Fprintln(p.out, line)
	}
}

func (p *progress) bestLine(e search.Event) string {
	what := e.Stage
	if e.Detail != "" {
		what += ": " + e.Detail
	}
	return fmt.Sprintf("%6.1fs  best %d of %d, %s  (%s)", p.elapsed().Seconds(), e.Score, e.Max, count(e.Max-e.Score, "break"), what)
}

func (p *progress) elapsed() time.Duration { return p.before + time.Since(p.start) }

// share is how much of the budget is used, 0 to 1.
func (p *progress) share() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.limit > 0:
		return min(1, p.elapsed().Seconds()/p.limit.Seconds())
	case p.last.Of > 0:
		return min(1, float64(p.last.Done)/float64(p.last.Of))
	}
	return 0
}

// head is what stands before the bar: the best score and the stage at work.
func (p *progress) head() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last.Stage == "certify" {
		return p.last.Stage + ": " + p.last.Detail + " "
	}
	best, score, nodes := "no board yet", p.best, p.last.Unit == "nodes"
	if p.last.Stage == "exhaust" {
		best = "nothing yet"
	}
	if nodes && p.last.Best > 0 {
		score = max(score, p.last.Best) // a resumed run may know one
	}
	if score >= 0 {
		best = fmt.Sprintf("best %d/%d", score, p.total)
	}
	text := best + "  " + p.last.Stage
	switch {
	case p.last.Stage == "beam" && p.last.Of > 0:
		text += fmt.Sprintf(" %d/%d cells", p.last.Done, p.last.Of)
	case nodes:
		text += fmt.Sprintf("  %s nodes", short(float64(p.last.Done)))
		if p.last.Detail != "" {
			text += "  " + p.last.Detail
		}
	case p.last.Stage != "":
		text += fmt.Sprintf(" at %d", p.last.Score)
	}
	return text + " "
}

// tail is what stands behind the bar: the rate, the time left, the weights.
func (p *progress) tail() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var parts []string
	if p.last.Rate > 0 {
		parts = append(parts, fmt.Sprintf("%s %s/s", short(p.last.Rate), p.last.Unit))
	}
	if p.limit > 0 {
		parts = append(parts, fmt.Sprintf("%s left", max(0, p.limit-p.elapsed()).Round(time.Second)))
	} else if p.last.Rate > 0 && p.last.Of > p.last.Done {
		left := time.Duration(float64(p.last.Of-p.last.Done) / p.last.Rate * float64(time.Second))
		if left >= time.Second {
			parts = append(parts, fmt.Sprintf("%s left", left.Round(time.Second)))
		}
	}
	// Those of the highest weight: all of them would be too long for a line.
	operators := slices.Clone(p.last.Operators)
	slices.SortStableFunc(operators, func(a, b search.Operator) int { return cmp.Compare(b.Weight, a.Weight) })
	shown := min(len(operators), maxShown)
	for _, o := range operators[:shown] {
		parts = append(parts, fmt.Sprintf("%s %.0f%%", o.Name, 100*o.Weight))
	}
	if more := len(operators) - shown; more > 0 {
		parts = append(parts, fmt.Sprintf("+%d more", more))
	}
	return " " + strings.Join(parts, "  ")
}

// maxShown is how many operators a progress line names.
const maxShown = 3

// short writes a number in three digits or so.
func short(x float64) string {
	switch {
	case x >= 1e6:
		return fmt.Sprintf("%.1fM", x/1e6)
	case x >= 1e3:
		return fmt.Sprintf("%.0fk", x/1e3)
	}
	return fmt.Sprintf("%.0f", x)
}

// close takes the line off the terminal.
func (p *progress) close() {
	if p.pool == nil {
		return
	}
	p.bar.Abort(true)
	p.pool.Wait()
}
