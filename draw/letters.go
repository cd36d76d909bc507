package draw

import (
	"strings"
	"unicode"
)

// Measures of a letter, in parts of the size of the type.
const (
	advance = 0.6   // from one letter to the next, as in most monospaced type
	capital = 0.7   // height
	letterX = 0.105 // one step of a glyph to the right
	letterY = capital / 6
	pen     = 0.045 // half the width of a stroke
)

// glyphs hold strokes, each a run of points, each point two digits: 0 to 4 from
// the left and 0 to 6 from the top. Letters are capitals only.
var glyphs = map[rune]string{
	'0': "103041453616050110", '1': "112026 1636", '2': "01103041420646",
	'3': "0110304142334445361605 1333", '4': "36300444", '5': "4000033344453606",
	'6': "40200205163645443303", '7': "004016", '8': "13020110304142331304051636454433",
	'9': "06264441301001021343",
	'A': "0602204246 0444", 'B': "030030414233030636454433", 'C': "4130100105163645",
	'D': "00062644422000", 'E': "40000646 0333", 'F': "400006 0333", 'G': "41301001051636454323",
	'H': "0006 4046 0343", 'I': "1030 2026 1636", 'J': "4045361605", 'K': "0006 400346",
	'L': "000646", 'M': "0600234046", 'N': "06004640", 'O': "103042443616040210",
	'P': "06003041423303", 'Q': "103042443616040210 2446", 'R': "06003041423303 2346",
	'S': "413010010213334445361605", 'T': "0040 2026", 'U': "000516364540", 'V': "002640",
	'W': "0016233640", 'X': "0046 4006", 'Y': "002340 2326", 'Z': "00400646",
	' ': "", '.': "26", ',': "2516", ':': "22 25", ';': "22 2516", '-': "1333", '–': "1333", '—': "0343",
	'_': "0646", '+': "0343 2125", '/': "0640", '\\': "0046", '(': "30121436", ')': "10323416",
	'[': "30101636", ']': "10303616", '#': "1016 3036 0242 0444", '%': "01 45 0640", '\'': "2021",
	'"': "1011 3031", '!': "2024 26", '?': "011030414224 26", '=': "0242 0444", '<': "410345",
	'>': "014305", '*': "2125 0244 4204", '|': "2026", '&': "4602011020310405162644", '×': "1135 3115",
	'·': "23", '…': "06 26 46", '’': "2021",
}

// unknown stands for every other rune.
const unknown = "0040460600"

// letters draws a line of text about its middle, in units of its size.
func letters(text string) shape {
	var out shape
	runes := []rune(text)
	for i, r := range runes {
		glyph, known := glyphs[unicode.ToUpper(r)]
		if !known {
			glyph = unknown
		}
		left := (float64(i)-float64(len(runes))/2)*advance + (advance-4*letterX)/2
		for stroke := range strings.FieldsSeq(glyph) {
			at := func(k int) point {
				return point{left + letterX*float64(stroke[k]-'0'), letterY * (float64(stroke[k+1]-'0') - 3)}
			}
			for k := 0; k < len(stroke); k += 2 {
				out = append(out, line(at(max(0, k-2)), at(k), pen)...)
			}
		}
	}
	return out
}
