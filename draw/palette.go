package draw

import (
	"fmt"
	"image/color"
	"math"
)

// inks are the field of a triangle, the body of its motif and the core on it.
type inks struct {
	field, body, core color.NRGBA
}

// hex reads 0xRRGGBB.
func hex(c uint32) color.NRGBA {
	return color.NRGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 255}
}

// Neighbours in number, which a reader compares most, are far apart in hue and
// lightness. No field is the red of the breaks.
var palette = [...][3]uint32{
	{0x24407f, 0xffd24a, 0x24407f},
	{0xe9792f, 0xfff3d9, 0xa8380c},
	{0x2e8b57, 0xdff5b5, 0x2e8b57},
	{0x6f3390, 0xf6c1ff, 0x6f3390},
	{0xf3c530, 0x8a3a12, 0xfff0b0},
	{0x66bdec, 0x103f70, 0x66bdec},
	{0xa8234a, 0xffd7de, 0xa8234a},
	{0x12807d, 0xffe596, 0x12807d},
	{0xf5a3c7, 0x8a1d5c, 0xf5a3c7},
	{0xabd13e, 0x2f5a10, 0xabd13e},
	{0x7d4c29, 0xf6d5a6, 0x7d4c29},
	{0xc0abee, 0x43248c, 0xc0abee},
	{0x1b74bd, 0xffffff, 0x1b74bd},
	{0xfbc89c, 0xb2432a, 0xfbc89c},
	{0x1c4c37, 0x93e3a5, 0x1c4c37},
	{0xcc349c, 0xffeeb0, 0xcc349c},
	{0xa2e4c8, 0x0f625b, 0xa2e4c8},
	{0x661a2e, 0xf8a552, 0x661a2e},
	{0x5049cd, 0xb6f2ff, 0x5049cd},
	{0x8f8c22, 0xfffcc8, 0x8f8c22},
	{0x404956, 0xff9fb0, 0x404956},
	{0xf7edcc, 0x2a6a9e, 0xf7edcc},
}

// What is no colour of a piece.
var (
	paper    = hex(0xfaf8f4)
	lead     = hex(0x1d2129) // between the triangles, and for writing
	rim      = hex(0xb4bac1)
	vacant   = hex(0xf0ede6)
	dots     = hex(0xb3aca0)
	alarm    = hex(0xff1830)
	gold     = hex(0xffe14d)
	white    = hex(0xffffff)
	hairline = color.NRGBA{0x1d, 0x21, 0x29, 70}
)

// inksOf gives any colour its inks. Beyond the palette hues go round by the
// golden angle and lightness by thirds, so that near numbers look unlike.
func inksOf(colour uint8) inks {
	if colour == 0 {
		return inks{rim, rim, rim}
	}
	i := int(colour) - 1
	if i < len(palette) {
		c := palette[i]
		return inks{hex(c[0]), hex(c[1]), hex(c[2])}
	}
	i -= len(palette)
	hue := math.Mod(float64(i)*0.381966, 1)
	field, body := shade(hue, 0.55, 0.34), shade(hue+0.12, 0.8, 0.86)
	switch i % 3 {
	case 1:
		field, body = shade(hue, 0.6, 0.72), shade(hue+0.5, 0.6, 0.22)
	case 2:
		field, body = shade(hue, 0.62, 0.4), shade(hue+0.5, 0.9, 0.95)
	}
	return inks{field, body, field}
}

// shade turns hue, saturation and lightness, each of 0 to 1, to a colour.
func shade(hue, saturation, lightness float64) color.NRGBA {
	part := func(offset float64) uint8 {
		k := math.Mod(offset+12*hue, 12)
		a := saturation * min(lightness, 1-lightness)
		return uint8(math.Round(255 * (lightness - a*max(-1, min(k-3, 9-k, 1)))))
	}
	return color.NRGBA{part(0), part(8), part(4), 255}
}

// hexOf writes a solid colour as CSS does.
func hexOf(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
