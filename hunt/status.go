package hunt

import (
	"time"

	"lastmile/ledger"
)

// Status is where a hunt stands: what `hunt status --json` prints and the room of
// the lab shows.
type Status struct {
	Name     string    `json:"name"`
	Archive  string    `json:"archive"` // the name of the archive, made when the hunt began
	Version  string    `json:"version"` // of the coordinator's program
	At       time.Time `json:"at"`      // by the coordinator's clock
	Since    time.Time `json:"since"`   // when the hunt began
	Running  bool      `json:"running"`
	Stopping bool      `json:"stopping"`

	Jobs    Jobs    `json:"jobs"`
	Done    int64   `json:"done"`    // jobs; the same as jobs.done
	Boards  int64   `json:"boards"`  // distinct ones in the archive
	Best    int     `json:"best"`    // score, -1 when there is no board yet
	Max     int     `json:"max"`     // seams of the puzzle of the best board
	Results float64 `json:"results"` // a second, over the last minute
	Refused int64   `json:"refused"` // results that were wrong: forged, damaged or of another version
	Twice   int64   `json:"twice"`   // results that came again and were not counted again

	Workers   []Worker   `json:"workers"`
	Campaigns []Campaign `json:"campaigns"`
	Top       []Top      `json:"top"`     // the best boards, best first
	History   []Moment   `json:"history"` // when the best score rose
	Trouble   string     `json:"trouble"` // what keeps the hunt from going on, empty when all is well
}

// Jobs counts jobs by where they are.
type Jobs struct {
	Open   int64 `json:"open"`   // not handed to the queue yet
	Queued int64 `json:"queued"` // in the queue or at work
	Done   int64 `json:"done"`
	Failed int64 `json:"failed"` // given up
}

// Worker is a program that works for the hunt.
type Worker struct {
	Name       string  `json:"name"` // host and a number of its own
	Host       string  `json:"host"`
	Version    string  `json:"version"`
	Slots      int     `json:"slots"`      // jobs at once
	Busy       int     `json:"busy"`       // of them at work
	Done       int64   `json:"done"`       // jobs since it joined
	Nodes      float64 `json:"nodes"`      // a second, lately
	Iterations float64 `json:"iterations"` // a second, lately
	Best       int     `json:"best"`       // score, -1 for none
	Seen       float64 `json:"seen"`       // seconds since it was heard last
	Skew       float64 `json:"skew"`       // seconds that its clock is ahead of the coordinator's
	Doing      []Doing `json:"doing"`
}

// Doing is a job at work.
type Doing struct {
	Job     string  `json:"job"` // its ID
	Kind    string  `json:"kind"`
	Detail  string  `json:"detail"` // what its search tells: stage, order, score
	Done    int64   `json:"done"`
	Of      int64   `json:"of"`
	Unit    string  `json:"unit"` // of Done and Of
	Seconds float64 `json:"seconds"`
}

// Campaign is a series of jobs.
type Campaign struct {
	Number int64  `json:"number"`
	Kind   string `json:"kind"`
	What   string `json:"what"` // in words: the puzzle, the clues, the bounds
	Jobs   Jobs   `json:"jobs"`
	Best   int    `json:"best"` // score, -1 for none
	Over   bool   `json:"over"`

	Arms      []Arm      `json:"arms,omitempty"`      // among which work is steered
	Exhausted *Exhausted `json:"exhausted,omitempty"` // of an exhaustion
	Certified *Certified `json:"certified,omitempty"` // of halos
}

// Arm is one way to make boards.
type Arm struct {
	Name    string  `json:"name"`    // such as "beam column 16384"
	Share   float64 `json:"share"`   // of the work, 0 to 1
	Uses    int64   `json:"uses"`    // jobs done
	Mean    float64 `json:"mean"`    // score
	Best    int     `json:"best"`    // score, -1 for none
	Seconds float64 `json:"seconds"` // of work
}

// Exhausted is what an exhaustion has counted so far.
type Exhausted struct {
	ledger.Counts
	ByBreaks []int64 `json:"by_breaks"`
	Budget   int     `json:"budget"`
	Complete bool    `json:"complete"` // the counts are those of the whole
}

// Certified counts the verdicts of halos.
type Certified struct {
	Proven int64 `json:"proven"`
	Found  int64 `json:"found"`
	Open   int64 `json:"open"`
}

// Top is one of the best boards.
type Top struct {
	ID     string    `json:"id"`
	Score  int       `json:"score"`
	Clues  int       `json:"clues"` // of the five of the official puzzle, that it holds
	Found  time.Time `json:"found"`
	Worker string    `json:"worker"`
	Job    string    `json:"job"`
	Made   string    `json:"made"`    // the command that makes it again
	Corner [4]int    `json:"corners"` // numbers of the pieces from 1, clockwise from the top left
	Codes  []int     `json:"codes"`   // see puzzle.Board.Codes
	URL    string    `json:"url"`     // a link that shows it, empty where none can
	Set    string    `json:"set"`     // the name of its piece set
}

// Moment is when the best score rose.
type Moment struct {
	Seconds float64 `json:"seconds"` // since the hunt began
	Score   int     `json:"score"`
}
