package study

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// WriteMarkdown writes the report for people: the verdicts first, then the
// charts, whose pictures stand beside the page, and the tables, then how it was
// measured. Tables are aligned in the source too, and long addresses stand at
// the end.
func WriteMarkdown(w io.Writer, r *Report) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s: %s\n\n%s\n", r.Study, r.Verdict, sentence(r.Claim))
	if r.Stopped {
		b.WriteString("\nThe run was stopped before its end: what it had not measured is untested.\n")
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "\n## %s\n\n- **%s**\n- published: %s\n- measured: %s\n", capital(f.Claim), f.Verdict, f.Published, f.Measured)
		if len(f.Seeds) > 0 {
			fmt.Fprintf(&b, "- seeds: %s\n", FormatSeeds(f.Seeds))
		}
		if f.Note != "" {
			fmt.Fprintf(&b, "- note: %s\n", f.Note)
		}
	}
	for i, c := range r.Charts {
		fmt.Fprintf(&b, "\n## %s\n\n![%s](%s)\n", capital(c.Title), bracketed.Replace(c.Title), r.picture(i))
	}
	for _, t := range r.Tables {
		fmt.Fprintf(&b, "\n## %s\n\n", capital(t.Title))
		if t.Note != "" {
			fmt.Fprintf(&b, "%s\n\n", sentence(t.Note))
		}
		t.write(&b)
	}
	b.WriteString("\n## How it was measured\n\n")
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "%s\n\n", sentence(n))
	}
	fmt.Fprintf(&b, "- command: `%s`\n", r.Command)
	if version := r.source(); version != "" {
		fmt.Fprintf(&b, "- program: %s\n", version)
	}
	fmt.Fprintf(&b, "- machine: %s\n- date: %s, %s\n", r.Machine, r.Date.Format("2006-01-02"), duration(r.Seconds))
	if len(r.Links) > 0 {
		b.WriteString("\n")
		for _, l := range r.Links {
			fmt.Fprintf(&b, "[%s]: %s\n", l.Label, l.URL)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// source names the program that ran.
func (r *Report) source() string {
	var parts []string
	if r.Version != "" {
		parts = append(parts, "lastmile "+r.Version)
	}
	if r.Machine.Commit != "" {
		commit := "commit " + r.Machine.Commit
		if r.Machine.Changed {
			commit += " with changes"
		}
		parts = append(parts, commit)
	}
	return strings.Join(parts, ", ")
}

// write aligns the columns: numbers to the right, words to the left.
func (t Table) write(b *bytes.Buffer) {
	if len(t.Rows) == 0 {
		b.WriteString("Nothing was measured.\n")
		return
	}
	cells := make([][]string, 0, len(t.Rows)+1)
	cells = append(cells, t.Columns)
	cells = append(cells, t.Rows...)
	width := make([]int, len(t.Columns))
	for _, row := range cells {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(escape(cell)), 3)
		}
	}
	for line, row := range cells {
		for i, cell := range row {
			text := escape(cell)
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(text))
			if t.numeric(i) {
				fmt.Fprintf(b, "| %s%s ", pad, text)
			} else {
				fmt.Fprintf(b, "| %s%s ", text, pad)
			}
		}
		b.WriteString("|\n")
		if line > 0 {
			continue
		}
		for i := range row {
			if t.numeric(i) {
				fmt.Fprintf(b, "| %s: ", strings.Repeat("-", width[i]-1))
			} else {
				fmt.Fprintf(b, "| %s ", strings.Repeat("-", width[i]))
			}
		}
		b.WriteString("|\n")
	}
}

// numeric tells whether a column holds numbers: each cell begins with a digit
// or a sign.
func (t Table) numeric(column int) bool {
	for _, row := range t.Rows {
		if !strings.ContainsAny(firstRune(row[column]), "0123456789+-–") {
			return false
		}
	}
	return true
}

func firstRune(s string) string {
	_, size := utf8.DecodeRuneInString(s)
	return s[:size]
}

func escape(cell string) string { return strings.ReplaceAll(cell, "|", `\|`) }

// bracketed lets a text stand between brackets.
var bracketed = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`)

// sentence gives a line its capital and its full stop.
func sentence(s string) string {
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".:!?") {
		return capital(s)
	}
	return capital(s) + "."
}

func capital(s string) string {
	first := firstRune(s)
	return strings.ToUpper(first) + s[len(first):]
}

// duration writes seconds as people say them.
func duration(seconds float64) string {
	switch {
	case seconds < 0.1:
		return fmt.Sprintf("%.0f ms", 1000*seconds)
	case seconds < 120:
		return fmt.Sprintf("%.1f s", seconds)
	}
	return fmt.Sprintf("%.0f min", seconds/60)
}
