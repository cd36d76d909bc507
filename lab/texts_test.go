package lab_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lastmile/lab"
)

// Every text is there in every language, with the same parameters, and every key
// that the page names is a text that somebody uses.
func TestTextsAreWhole(t *testing.T) {
	languages := []string{"en", "fr", "es"}
	parameter := regexp.MustCompile(`\{\w+\}`)
	texts := map[string]map[string]string{}
	files, err := filepath.Glob(filepath.Join("web", "texts", "*.json"))
	if err != nil || len(files) < 7 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var some map[string]map[string]string
		if err := json.Unmarshal(data, &some); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for key, text := range some {
			if room := strings.TrimSuffix(filepath.Base(file), ".json"); !strings.HasPrefix(key, room+".") {
				t.Errorf("%s: key %s", file, key)
			}
			texts[key] = text
			for _, l := range languages {
				if strings.TrimSpace(text[l]) == "" {
					t.Errorf("%s has no %s", key, l)
				}
				want, got := parameter.FindAllString(text["en"], -1), parameter.FindAllString(text[l], -1)
				slices.Sort(want)
				slices.Sort(got)
				if !slices.Equal(slices.Compact(want), slices.Compact(got)) {
					t.Errorf("%s: %s has the parameters %v, English %v", key, l, got, want)
				}
			}
			if len(text) != len(languages) {
				t.Errorf("%s has %d languages", key, len(text))
			}
			// Long texts that are the same in two languages have not been written.
			if len(text["en"]) > 30 && (text["en"] == text["fr"] || text["en"] == text["es"] || text["fr"] == text["es"]) {
				t.Errorf("%s is the same in two languages", key)
			}
		}
	}
	var all strings.Builder
	for _, text := range sources(t) {
		all.WriteString(text)
	}
	source := all.String()
	// Keys may be put together of a room and a word of a list.
	for key := range texts {
		room, word, _ := strings.Cut(key, ".")
		word = strings.TrimRight(word, "0123456789")
		head, _, _ := strings.Cut(word, ".")
		if s := source; !strings.Contains(s, `"`+key+`"`) && !(strings.Contains(s, "`"+room+".") && (strings.Contains(s, `"`+word+`"`) || strings.Contains(s, "`"+room+"."+head) || strings.Contains(s, word+":") || strings.Contains(s, word+",") || strings.Contains(s, word+" "))) {
			t.Errorf("nobody says %s", key)
		}
	}
}

// sources are the scripts and the page, by path.
func sources(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range []string{"*.ts", "rooms/*.ts", "*.html"} {
		paths, err := filepath.Glob(filepath.Join("web", pattern))
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %v, %v", pattern, paths, err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			texts[path] = string(data)
		}
	}
	return texts
}

// Nothing in the page is set as markup, and nothing is inline.
func TestNoMarkupFromText(t *testing.T) {
	for path, text := range sources(t) {
		for _, word := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "onclick=", "<style"} {
			if strings.Contains(text, word) {
				t.Errorf("%s has %s", path, word)
			}
		}
	}
}

// The first load is small.
func TestFirstLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("makes the files of the lab")
	}
	dir, err := built()
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, name := range lab.Names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, ".gz") {
			var small bytes.Buffer
			w := gzip.NewWriter(&small)
			w.Write(data)
			w.Close()
			data = small.Bytes()
		}
		total += len(data)
	}
	if total > 3_000_000 {
		t.Errorf("the first load takes %d bytes compressed, want at most 3 MB", total)
	}
}
