package study

import (
	"fmt"
	"math"
	"strings"
)

// growthRow is the nodes that exact needs for holes of one operator and size.
type growthRow struct {
	Operator string    `json:"operator"`
	K        int       `json:"k"`
	Cells    float64   `json:"cells"`
	Holes    int       `json:"count"`
	Decided  int       `json:"decided"`
	Median   float64   `json:"median"` // of the nodes
	Doubled  Summary   `json:"log2"`   // means of the seeds, of the binary logarithm of the nodes; what is not decided counts as twice the limit
	each     []float64 // of these
}

func (x *refills) growth() (rows []growthRow) {
	for _, operator := range x.plan.growing {
		for _, k := range x.plan.growths {
			g := growthRow{Operator: operator.Name, K: k}
			var all []float64
			for _, grown := range x.grown {
				var exponents []float64
				for _, hole := range grown[growthKey{operator.Name, k}] {
					exponents = append(exponents, float64(hole.exponent))
					g.Cells += float64(hole.cells)
					if hole.exponent <= x.plan.cap {
						g.Decided++
					}
				}
				all = append(all, exponents...)
				g.each = append(g.each, Summarise(exponents).Mean)
			}
			if g.Holes = len(all); g.Holes > 0 {
				g.Cells /= float64(g.Holes)
				g.Median, g.Doubled = math.Exp2(Summarise(all).Median), Summarise(g.each)
				rows = append(rows, g)
			}
		}
	}
	return rows
}

// lineThrough is the slope of the best line through points, and the mean square of what
// it leaves.
func lineThrough(xs, ys []float64) (slope, left float64) {
	x, y := Summarise(xs).Mean, Summarise(ys).Mean
	var xx, xy, yy float64
	for i := range xs {
		xx += (xs[i] - x) * (xs[i] - x)
		xy += (xs[i] - x) * (ys[i] - y)
		yy += (ys[i] - y) * (ys[i] - y)
	}
	return xy / xx, (yy - xy*xy/xx) / float64(len(xs))
}

// growths is how the nodes of one operator grow.
type growths struct {
	rows   []growthRow // of which half are decided: what is cut short says too little
	Slope  Summary     // of the binary logarithm of the nodes, by cell
	Power  Summary     // the exponent, were it a power of the cells
	Nearer Summary     // by how much the mean square is less that a line in the cells leaves
}

func (x *refills) growthOf(operator string, rows []growthRow) (g growths) {
	var cells, logs []float64
	for _, row := range rows {
		if row.Operator != operator {
			continue
		}
		if 2*row.Decided < row.Holes {
			break
		}
		g.rows = append(g.rows, row)
		cells, logs = append(cells, row.Cells), append(logs, math.Log2(row.Cells))
	}
	if len(g.rows) < 3 { // no line to speak of
		g.rows = nil
		return g
	}
	var slopes, powers, nearer []float64
	for seed := range x.seeds {
		var nodes []float64
		for _, row := range g.rows {
			nodes = append(nodes, row.each[seed])
		}
		slope, left := lineThrough(cells, nodes)
		power, leftOfPower := lineThrough(logs, nodes)
		slopes, powers, nearer = append(slopes, slope), append(powers, power), append(nearer, leftOfPower-left)
	}
	g.Slope, g.Power, g.Nearer = Summarise(slopes), Summarise(powers), Summarise(nearer)
	return g
}

func (g growths) words() string {
	if len(g.rows) == 0 {
		return "too few sizes at which half of the holes are decided"
	}
	var nodes []string
	for _, row := range g.rows {
		nodes = append(nodes, fmt.Sprintf("%s at %d", short(math.Exp2(row.Doubled.Mean)), row.K))
	}
	return fmt.Sprintf("the nodes grow %s times with every cell, and the line in k is nearer by %s; as a power of k it would be one of %s; geometric means of the nodes: %s",
		short(math.Exp2(g.Slope.Mean)), meanWithin(g.Nearer), short(g.Power.Mean), strings.Join(nodes, ", "))
}

// judgeGrowth judges that the logarithm of the nodes is a line in k rather than
// in the logarithm of k, which would be a power.
func (x *refills) judgeGrowth(r *Report, grown []growthRow, rows []refillRow) {
	f := Finding{
		Claim:     "exact repair of holes whose cells touch is exponential in k",
		Published: "for holes of " + squareHoles + " the logarithm of the nodes is nearer a line in k than a line in log k, which is a power of k: wanted, the 95 % intervals of the mean difference of the mean squares, and of the slope, above 0",
		Seeds:     x.seeds,
		Note:      "sizes of which fewer than half are decided are left out; what is not decided counts as twice the limit; other operators are told, not judged",
	}
	judged := false
	if len(x.seeds) > 0 {
		var texts []string
		for _, operator := range x.plan.growing {
			g := x.growthOf(operator.Name, grown)
			texts = append(texts, operator.Name+": "+g.words())
			if operator.Name == squareHoles && len(g.rows) > 0 {
				judged = true
				f.Verdict = judge(!x.complete || g.Slope.Lowest > 0 && g.Nearer.Lowest > 0, x.complete)
			}
		}
		f.Measured = fmt.Sprintf("%s; of connected holes proved within the nodes of the default: %s", strings.Join(texts, "; "), proved(rows))
	}
	if !judged {
		f.Verdict = Untested
	}
	r.find(f)
}

// proved tells which share of connected holes exact decides.
func proved(rows []refillRow) string {
	shares := map[int]float64{}
	boards := map[int]float64{}
	var sizes []int
	for _, row := range rows {
		if row.Kind == connectedHoles && row.Method == exactRepair {
			if boards[row.K] == 0 {
				sizes = append(sizes, row.K)
			}
			shares[row.K] += row.Optimal
			boards[row.K]++
		}
	}
	var words []string
	for _, k := range sizes {
		words = append(words, fmt.Sprintf("%s at %d", percent(shares[k]/boards[k]), k))
	}
	return strings.Join(words, ", ")
}
