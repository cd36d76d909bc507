package notation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lastmile/puzzle"
)

// jsonObject is an object with the keys that have a meaning here, in lower
// case, and those of a verdict.
type jsonObject struct {
	where  string // its place in the text, "" at the top
	values map[string]json.RawMessage
}

var jsonKeys = []string{
	"format", "name", "id", "width", "height", "rows", "cols", "pieces", "tiles", "edges", "placements", "hints", "placed",
	"official", "score", "max", "breaks", "open", "empty", "numcolors", "gen", "size", "url", "board",
	"cell", "piece", "rotation", "row", "col", "tile",
	"clues_held", "rim_faults", "foreign", "duplicates",
}

// objectIn takes an object apart. A key of ours that comes twice must say the
// same twice.
func objectIn(where string, raw json.RawMessage) (jsonObject, error) {
	o := jsonObject{where, map[string]json.RawMessage{}}
	if len(raw) == 0 || raw[0] != '{' {
		return o, fault(where, kindOf(raw), "an object")
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if _, err := decoder.Token(); err != nil {
		return o, jsonFault(raw, err, 0)
	}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return o, jsonFault(raw, err, 0)
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return o, jsonFault(raw, err, 0)
		}
		name := fmt.Sprint(token)
		key := strings.ToLower(name)
		if !slices.Contains(jsonKeys, key) {
			continue
		}
		if before, twice := o.values[key]; twice && !sameJSON(before, value) {
			return o, fault(where, "key "+name+" given twice with different values", "one")
		}
		o.values[key] = value
	}
	return o, nil
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// has tells whether there is a value other than null.
func (o jsonObject) has(key string) bool {
	v, ok := o.values[key]
	return ok && string(v) != "null"
}

// at is the place of a key in the text.
func (o jsonObject) at(key string) string {
	if o.where == "" {
		return key
	}
	return o.where + ", " + key
}

// whole is the whole number of a key; null is as good as none.
func (o jsonObject) whole(key string) (n int, given bool, err error) {
	if !o.has(key) {
		return 0, false, nil
	}
	n, err = wholeIn(o.at(key), o.values[key])
	return n, true, err
}

// elements are those of the array of a key; nil when there is none.
func (o jsonObject) elements(key string) ([]json.RawMessage, error) {
	if !o.has(key) {
		return nil, nil
	}
	return elements(o.at(key), o.values[key])
}

func elements(where string, raw json.RawMessage) ([]json.RawMessage, error) {
	all := []json.RawMessage{}
	if json.Unmarshal(raw, &all) != nil || all == nil {
		return nil, fault(where, kindOf(raw), "an array")
	}
	return all, nil
}

func wholeIn(where string, raw json.RawMessage) (int, error) {
	n, err := strconv.Atoi(string(raw))
	if err != nil {
		return 0, fault(where, kindOf(raw), "a whole number")
	}
	return n, nil
}

// coloursIn reads four colours.
func coloursIn(where string, raw json.RawMessage) (row [4]int, err error) {
	all, err := elements(where, raw)
	if err != nil {
		return row, fault(where, kindOf(raw), "four colours")
	}
	if len(all) != 4 {
		return row, fault(where, counted(len(all), "colour"), "4")
	}
	for i, one := range all {
		c, err := wholeIn(fmt.Sprintf("%s, colour %d", where, i+1), one)
		if err != nil {
			return row, err
		}
		if c < 0 || c > puzzle.MaxColours {
			return row, fault(where, fmt.Sprintf("colour %d", c), fmt.Sprintf("0 to %d", puzzle.MaxColours))
		}
		row[i] = c
	}
	return row, nil
}

// stringIn is the string that raw holds, "" when it holds anything else.
func stringIn(raw json.RawMessage) (s string) {
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// kindOf says what a value is, in words.
func kindOf(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string " + clip(stringIn(raw))
	case 't', 'f', 'n':
		return string(raw)
	}
	return "the number " + strings.Trim(clip(string(raw)), `"`)
}
