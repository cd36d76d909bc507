package construct

import (
	"reflect"
	"testing"

	"lastmile/random"
)

// What is forgotten has no descendants: the ways back from the last step stay,
// and every mark that stays is on one of those from the steps that are remembered.
func TestForget(t *testing.T) {
	r := random.New(1, "forget", 0)
	for range 20 {
		width, steps := 1+r.Below(40), 1+r.Below(300)
		var whole, marks [][]mark
		size := 1
		for i := range steps {
			layer := make([]mark, 1+r.Below(width))
			for j := range layer {
				// Few parents, as in a beam.
				layer[j] = mark{int32(r.Below(1 + r.Below(size))), int32(i<<8 | j)}
			}
			size = len(layer)
			whole = append(whole, append([]mark(nil), layer...))
			marks = append(marks, layer)
			forget(marks)
		}
		way := func(marks [][]mark, step, state int) (moves []int32) {
			for i := step; i >= 0; i-- {
				m := marks[i][state]
				moves = append(moves, m.move)
				state = int(m.parent)
			}
			return moves
		}
		for step := max(0, steps-remembered); step < steps; step++ {
			if len(marks[step]) != len(whole[step]) {
				t.Fatalf("step %d of %d has %d marks left of %d", step, steps, len(marks[step]), len(whole[step]))
			}
			for state := range marks[step] {
				if got, want := way(marks, step, state), way(whole, step, state); !reflect.DeepEqual(got, want) {
					t.Fatalf("step %d of %d, state %d: %v, want %v", step, steps, state, got, want)
				}
			}
		}
		// After the last forgetting, layers before have descendants only.
		last := steps - steps%forgetEvery
		for i := last - remembered - 1; i >= 0; i-- {
			parents := map[int32]bool{}
			for _, m := range marks[i+1] {
				parents[m.parent] = true
			}
			if len(parents) != len(marks[i]) {
				t.Fatalf("layer %d of %d keeps %d marks, %d have descendants", i, steps, len(marks[i]), len(parents))
			}
		}
	}
}
