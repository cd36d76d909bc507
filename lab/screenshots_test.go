package lab_test

import (
	"bytes"
	"flag"
	"image"
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

var update = flag.Bool("update", false, "write the screenshots of docs/lab anew")

// The screenshots of the documentation are those of the page as it is: when they
// have gone stale, -update takes them again.
func TestScreenshots(t *testing.T) {
	dir, err := built()
	if err != nil {
		t.Fatal(err)
	}
	origin := serve(t, dir)
	h := newHunting(t)
	h.puzzles()
	h.show(sampleHunt())
	for _, s := range []struct {
		name, room, scheme, language string
		prepare                      func(p *page)
	}{
		{"repair", "repair", "light", "en", func(p *page) {
			p.set(`.room input[type="range"]`, "3")
			for _, i := range []string{"1", "2", "3", "4", "5", "6"} {
				p.click(`[data-do="step"]`)
				p.until(`document.querySelector(".room").dataset.iterations === "` + i + `"`)
			}
		}},
		{"ledger", "ledger", "dark", "en", func(p *page) {
			p.set(`.room input[type="range"]`, "5")
			p.click(`[data-do="play"]`)
			p.until(`document.querySelector(".room").dataset.off === "542 1 done"`)
		}},
		{"wall", "wall", "light", "fr", func(p *page) {
			p.click(`[data-do="decide"]`)
			p.until(`document.querySelector(".room").dataset.verdict === "proven"`)
		}},
		{"cycles", "cycles", "dark", "es", func(p *page) {
			p.set(`.room select`, "3")
			p.until(`document.querySelector('.room input[type="range"]').max === "26"`)
			p.set(`.room input[type="range"]`, "13")
			p.until(`document.querySelector(".inline output").textContent.startsWith("13 ")`)
		}},
		{"desk", "desk", "light", "en", func(*page) {}},
		{"hunt", "live", "light", "en", func(p *page) {
			p.until(`document.querySelector(".room").dataset.board === "blackwood-470"`)
		}},
		{"virus", "virus", "dark", "fr", func(p *page) {
			p.click(`.stone.can`)
			p.until(`document.querySelector(".room").dataset.played === "2"`)
		}},
	} {
		t.Run(s.name, func(t *testing.T) {
			at := origin
			if s.room == "live" {
				at = h.origin
			}
			p := open(t, at, look{1280, 900, s.scheme, s.language})
			p.room(s.room)
			s.prepare(p)
			p.eval(`new Promise((done) => setTimeout(() => { scrollTo(0, 0); document.activeElement.blur(); requestAnimationFrame(() => requestAnimationFrame(() => done(true))); }, 400))`)
			shot, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
			if err != nil {
				t.Fatal(err)
			}
			now, err := png.Decode(bytes.NewReader(shot))
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("..", "docs", "lab", s.name+".jpg")
			if *update {
				var out bytes.Buffer
				if err := jpeg.Encode(&out, now, &jpeg.Options{Quality: 82}); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			then, err := jpeg.Decode(f)
			if err != nil {
				t.Fatal(err)
			}
			if then.Bounds() != now.Bounds() {
				t.Fatalf("%s is of %v, the page of %v", path, then.Bounds(), now.Bounds())
			}
			// Fonts differ between machines; a room that has changed differs more.
			if d := difference(then, now); d > 16 {
				t.Errorf("%s has gone stale, it differs by %.1f of 255: go test ./lab -run Screenshots -update", path, d)
			}
		})
	}
}

// difference is the mean over blocks of 32x32 pixels of how far their mean
// brightnesses are apart, 0 to 255.
func difference(a, b image.Image) float64 {
	const block = 32
	box, sum, blocks := a.Bounds(), 0.0, 0
	for y := box.Min.Y; y+block <= box.Max.Y; y += block {
		for x := box.Min.X; x+block <= box.Max.X; x += block {
			sum += math.Abs(brightness(a, x, y, block) - brightness(b, x, y, block))
			blocks++
		}
	}
	return sum / float64(blocks)
}

func brightness(m image.Image, left, top, size int) float64 {
	sum := 0.0
	for y := top; y < top+size; y += 2 {
		for x := left; x < left+size; x += 2 {
			r, g, b, _ := m.At(x, y).RGBA()
			sum += float64(r+g+b) / 3 / 257
		}
	}
	return sum / float64(size*size/4)
}
