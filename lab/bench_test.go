package lab_test

import (
	"fmt"
	"testing"
)

// How long a visitor waits: from the link to a room that is ready, in a browser
// that has not kept the files.
func BenchmarkLoad(b *testing.B) {
	dir, err := built()
	if err != nil {
		b.Fatal(err)
	}
	p := open(b, serve(b, dir), desktop)
	for b.Loop() {
		p.visit(fmt.Sprintf("?%d#/repair", b.N)) // another link, so that nothing is at hand but the engine's file
		p.until(`document.querySelector(".room")?.dataset.ready === "true"`)
	}
}

// Frames a second while the loop runs at full speed on 16x16, and iterations.
func BenchmarkFrames(b *testing.B) {
	dir, err := built()
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct{ board, speed string }{{"", "5"}, {"riotte-464", "5"}, {"riotte-464", "3"}} {
		b.Run(fmt.Sprintf("board=%s,speed=%s", c.board, c.speed), func(b *testing.B) {
			p := open(b, serve(b, dir), desktop)
			p.room("repair")
			p.set(`.setup select`, c.board)
			p.click(`.setup button.primary`)
			p.until(`document.querySelector(".room").dataset.iterations === "0"`)
			p.set(`.room input[type="range"]`, c.speed)
			p.click(`[data-do="play"]`)
			frames, iterations := 0.0, 0.0
			for b.Loop() {
				before := p.number(`Number(document.querySelector(".room").dataset.iterations)`)
				frames += p.number(`new Promise((done) => {
					let n = 0;
					const begin = performance.now();
					const count = (now) => (now - begin < 3000 ? (n++, requestAnimationFrame(count)) : done((1000 * n) / (now - begin)));
					requestAnimationFrame(count);
				})`)
				iterations += (p.number(`Number(document.querySelector(".room").dataset.iterations)`) - before) / 3
			}
			b.ReportMetric(frames/float64(b.N), "frames/s")
			b.ReportMetric(iterations/float64(b.N), "iterations/s")
		})
	}
}
