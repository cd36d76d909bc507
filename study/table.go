package study

// Table is a table of a report: text for people, and the values behind it.
type Table struct {
	Title   string     `json:"title"`
	Note    string     `json:"note,omitempty"` // how to read it
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
	Data    any        `json:"data"` // a list, one entry a row
}

// column says how a column shows an entry.
type column[T any] struct {
	name string
	text func(T) string
}

// tabulate makes a table out of its data, so that what people read and what
// programs read cannot differ.
func tabulate[T any](title, note string, data []T, columns ...column[T]) Table {
	t := Table{Title: title, Note: note, Rows: [][]string{}, Data: list(data)}
	for _, c := range columns {
		t.Columns = append(t.Columns, c.name)
	}
	for _, entry := range data {
		row := make([]string, len(columns))
		for i, c := range columns {
			row[i] = c.text(entry)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// summaries shows samples, one a row.
func summaries(title string, samples []Summary) Table {
	of := func(name string, value func(Summary) float64) column[Summary] {
		return column[Summary]{name, func(s Summary) string { return short(value(s)) }}
	}
	return tabulate(title, "low and high bound the mean with 95 % confidence, by Student's t", samples,
		of("n", func(s Summary) float64 { return float64(s.N) }),
		of("mean", func(s Summary) float64 { return s.Mean }),
		of("sd", func(s Summary) float64 { return s.SD }),
		of("min", func(s Summary) float64 { return s.Min }),
		of("median", func(s Summary) float64 { return s.Median }),
		of("max", func(s Summary) float64 { return s.Max }),
		of("low", func(s Summary) float64 { return s.Lowest }),
		of("high", func(s Summary) float64 { return s.Highest }),
	)
}
