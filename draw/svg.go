package draw

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"lastmile/puzzle"
)

// SVG writes the board as a document. Each stamp is defined once and then
// used, which keeps a 16x16 board below 100 kB.
func SVG(w io.Writer, g *puzzle.Grid, o Options) error {
	s, err := layOut(g, o)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	s.svg(out)
	return out.Flush()
}

// svg leaves errors to the writer's Flush.
func (s *scene) svg(w *bufio.Writer) {
	fmt.Fprintf(w, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", s.width, s.height, s.width, s.height)
	if s.title != "" {
		fmt.Fprintf(w, "<title>%s</title>\n", escape(s.title))
	}
	for _, r := range s.rects {
		fmt.Fprintf(w, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"%s/>\n", r.x, r.y, r.width, r.height, paint(r.ink))
	}
	w.WriteString("<defs>\n")
	for _, t := range s.stamps {
		fmt.Fprintf(w, "<g id=\"%s\">", t.name)
		for _, l := range t.layers {
			fmt.Fprintf(w, "<path d=\"%s\"%s/>", outline(l.shape, float64(s.cell)), paint(l.ink))
		}
		w.WriteString("</g>\n")
	}
	w.WriteString("</defs>\n")
	for _, u := range s.uses {
		fmt.Fprintf(w, "<use href=\"#%s\" x=\"%d\" y=\"%d\"/>\n", s.stamps[u.stamp].name, u.x, u.y)
	}
	if len(s.writings) > 0 {
		w.WriteString("<g font-family=\"monospace\" text-anchor=\"middle\">\n")
		for _, t := range s.writings {
			wide := advance * t.size * float64(utf8.RuneCountInString(t.text))
			// Text stands on its base line, half a capital below its middle.
			fmt.Fprintf(w, "<text x=\"%s\" y=\"%s\" font-size=\"%s\" textLength=\"%s\"%s>%s</text>\n",
				number(t.x), number(t.y+capital*t.size/2), number(t.size), number(wide), paint(t.ink), escape(t.text))
		}
		w.WriteString("</g>\n")
	}
	w.WriteString("</svg>\n")
}

// outline is the path of a shape whose unit is so many pixels.
func outline(s shape, unit float64) string {
	var b strings.Builder
	for _, polygon := range s {
		for i, p := range polygon {
			b.WriteByte("LM"[btoi(i == 0)])
			b.WriteString(number(p.x * unit))
			b.WriteByte(' ')
			b.WriteString(number(p.y * unit))
		}
		b.WriteByte('Z')
	}
	return b.String()
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// number writes hundredths of a pixel, and no more digits than it needs.
func number(v float64) string {
	v = math.Round(v*100) / 100
	if v == 0 {
		return "0" // not -0
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

func paint(c color.NRGBA) string {
	fill := fmt.Sprintf(" fill=\"%s\"", hexOf(c))
	if c.A < 255 {
		fill += fmt.Sprintf(" fill-opacity=\"%s\"", number(float64(c.A)/255))
	}
	return fill
}

// escape makes any text harmless in a document; what no document may hold, such
// as control characters, becomes U+FFFD.
func escape(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // a Builder does not fail
	return b.String()
}
