package certify_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"lastmile/certify"
	"lastmile/certify/drat"
	"lastmile/ledger"
	"lastmile/random"
)

// No byte of a file can change without notice.
func TestDamagedFiles(t *testing.T) {
	for name, c := range certificates(t) {
		for path, f := range c.files {
			every := 1 + len(f.Data)/32
			for i := 0; i < len(f.Data); i += every {
				damaged := maps.Clone(c.files)
				data := slices.Clone(f.Data)
				data[i] ^= 1 << (i % 8)
				damaged[path] = &fstest.MapFile{Data: data}
				if err := check(t, c.manifest, damaged); err == nil || !strings.Contains(err.Error(), path+" is not the file that was written") {
					t.Fatalf("%s: byte %d of %s is changed: %v", name, i, path, err)
				}
			}
			for what, data := range map[string][]byte{"shorter": f.Data[:len(f.Data)-1], "longer": append(slices.Clone(f.Data), 'a'), "empty": nil} {
				damaged := maps.Clone(c.files)
				damaged[path] = &fstest.MapFile{Data: data}
				if err := check(t, c.manifest, damaged); err == nil || !strings.Contains(err.Error(), path+" has ") {
					t.Errorf("%s: %s is %s: %v", name, path, what, err)
				}
			}
		}
	}
}

// A byte of a manifest that changes shows, or changes nothing of what it says.
func TestDamagedManifest(t *testing.T) {
	c := certificates(t)["steps"]
	text := written(t, c.manifest)
	for i := range text {
		for _, bit := range []int{i % 8, 5} { // 5 turns small letters into capitals
			damaged := slices.Clone(text)
			damaged[i] ^= 1 << bit
			m, err := certify.Read(bytes.NewReader(damaged))
			if err == nil && !reflect.DeepEqual(m, c.manifest) {
				t.Fatalf("bit %d of byte %d is changed in %q", bit, i, text[max(0, i-20):min(len(text), i+20)])
			}
		}
	}
	for name, test := range map[string]struct{ text, want string }{
		"empty":           {"", "no manifest: EOF"},
		"cut":             {string(text[:len(text)/2]), "no manifest: unexpected EOF"},
		"something else":  {"[1]", "no manifest"},
		"an empty object": {"{}", `format ""`},
		"two":             {string(text) + string(text), "something stands behind the manifest"},
		"unknown field":   {`{"format":"lastmile certificate","proved":true}`, `unknown field "proved"`},
		"later version":   {strings.Replace(string(text), `"version": 1`, `"version": 2`, 1), "version 2 of the format, want 1"},
		"other encoding":  {strings.Replace(string(text), `"encoding": 1`, `"encoding": 9`, 1), "encoding 9, want 1"},
		"floor":           {strings.Replace(string(text), `"floor": `, `"floor": 1`, 1), "the seal is broken"},
	} {
		if _, err := certify.Read(strings.NewReader(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

// put makes the content of a file what the manifest says it is.
func (c *certificate) put(content *certify.Content, data []byte) {
	c.files[content.Name] = &fstest.MapFile{Data: data}
	*content = certify.ContentOf(content.Name, data)
}

// A manifest that was forged, and its seal with it, is refused for what is wrong
// with it.
func TestForgedManifest(t *testing.T) {
	type forging func(c *certificate, m *certify.Manifest, last *certify.Step)
	for name, test := range map[string]struct {
		forge forging
		want  string
	}{
		"floor raised":  {func(c *certificate, m *certify.Manifest, last *certify.Step) { m.Floor++ }, "the steps show a floor of"},
		"floor lowered": {func(c *certificate, m *certify.Manifest, last *certify.Step) { m.Floor-- }, "the steps show a floor of"},
		"claim": {func(c *certificate, m *certify.Manifest, last *certify.Step) {
			m.Claim = "No refill is perfect, nor is any board."
		}, "the claim is not"},
		"a step too few": {func(c *certificate, m *certify.Manifest, last *certify.Step) {
			m.Steps = m.Steps[1:]
		}, "is not the formula of this board and these cells"},
		"the last step missing": {func(c *certificate, m *certify.Manifest, last *certify.Step) {
			m.Steps = m.Steps[:len(m.Steps)-1]
		}, "the steps show a floor of"},
		"steps exchanged": {func(c *certificate, m *certify.Manifest, last *certify.Step) {
			slices.Reverse(m.Steps)
		}, "step 1: "},
		"bound raised": {func(c *certificate, m *certify.Manifest, last *certify.Step) {
			last.Bound++
			m.Floor++
		}, "is not the formula"},
		"highest bound": {func(c *certificate, m *certify.Manifest, last *certify.Step) { last.Bound = 1<<63 - 1 }, "is not the formula"},
		"bound below 0": {func(c *certificate, m *certify.Manifest, last *certify.Step) { last.Bound = -1 }, "a bound of -1 breaks"},
		"bound raised, formula made": {func(c *certificate, m *certify.Manifest, last *certify.Step) {
			last.Bound++
			m.Floor++
			c.remake(t)
		}, "drat: step"},
		"another board": {func(c *certificate, m *certify.Manifest, last *certify.Step) {
			m.Board[1][1], m.Board[2][1] = m.Board[2][1], m.Board[1][1] // two pieces of the rim
		}, "the board: "},
		"another piece set": {func(c *certificate, m *certify.Manifest, last *certify.Step) {
			m.Puzzle.Pieces = slices.Clone(m.Puzzle.Pieces)
			slices.Reverse(m.Puzzle.Pieces)
		}, "the board: "},
		"a piece less":  {func(c *certificate, m *certify.Manifest, last *certify.Step) { m.Puzzle.Pieces = m.Puzzle.Pieces[1:] }, "the board: puzzle: 35 pieces, want 36"},
		"a piece twice": {func(c *certificate, m *certify.Manifest, last *certify.Step) { m.Board[1][1] = m.Board[0][1] }, "lies on the board twice"},
		"no piece":      {func(c *certificate, m *certify.Manifest, last *certify.Step) { m.Board[1][1] = -5 }, "piece -5 lies on the board twice, or is none"},
		"a cell twice":  {func(c *certificate, m *certify.Manifest, last *certify.Step) { m.Board[1][0] = m.Board[0][0] }, "holds a second piece"},
		"no cell":       {func(c *certificate, m *certify.Manifest, last *certify.Step) { m.Board[1][0] = 1 << 40 }, "holds a second piece, or is none"},
		"no rotation":   {func(c *certificate, m *certify.Manifest, last *certify.Step) { m.Board[1][2] = 4 }, "rotation 4 at cell 1, want 0 to 3"},
		"frame rule":    {func(c *certificate, m *certify.Manifest, last *certify.Step) { m.Board[1][2] = (m.Board[1][2] + 1) % 4 }, "breaks the frame rule"},
		"a hole":        {func(c *certificate, m *certify.Manifest, last *certify.Step) { m.Board = m.Board[1:] }, "the cells are not those that the board leaves"},
		"breaks":        {func(c *certificate, m *certify.Manifest, last *certify.Step) { m.Breaks++ }, "of the seams broken, not"},
		"a cell less":   {func(c *certificate, m *certify.Manifest, last *certify.Step) { m.Cells = m.Cells[1:] }, "the board: "},
		"cells doubled": {func(c *certificate, m *certify.Manifest, last *certify.Step) { m.Cells = append(m.Cells, m.Cells[0]) }, "the cells are not those"},
		"foreign cell":  {func(c *certificate, m *certify.Manifest, last *certify.Step) { m.Cells = append(m.Cells, 99) }, "cell 99, want 0 to 35"},
		"no cells":      {func(c *certificate, m *certify.Manifest, last *certify.Step) { m.Cells = nil }, "no cell is freed"},
		"window with a cell twice": {func(c *certificate, m *certify.Manifest, last *certify.Step) {
			m.Steps[0].Cells[1] = m.Steps[0].Cells[0]
		}, "step 1: certify: cell"},
		"window not in order": {func(c *certificate, m *certify.Manifest, last *certify.Step) {
			slices.Reverse(m.Steps[0].Cells)
		}, "step 1: certify: a window of 7 cells, want one or more, ascending"},
		"window of a cell that stays": {func(c *certificate, m *certify.Manifest, last *certify.Step) { m.Steps[0].Cells[0] = 0 }, "step 1: certify: cell 0 in a window"},
		"window beyond the board":     {func(c *certificate, m *certify.Manifest, last *certify.Step) { m.Steps[0].Cells[6] = 1 << 50 }, "in a window, want cells of the region"},
		"window below the board":      {func(c *certificate, m *certify.Manifest, last *certify.Step) { m.Steps[0].Cells[0] = -1 }, "cell -1 in a window"},
		"empty window":                {func(c *certificate, m *certify.Manifest, last *certify.Step) { m.Steps[0].Cells = nil }, "a window of 0 cells"},
		"window shifted": {func(c *certificate, m *certify.Manifest, last *certify.Step) {
			m.Steps[0].Cells = m.Steps[1].Cells
		}, "step 1: "},
		"counting": {func(c *certificate, m *certify.Manifest, last *certify.Step) {
			*last = certify.Step{Cells: m.Cells, Bound: m.Floor - 1, By: certify.Counting}
		}, "step 3: counting shows that the region needs"},
		"counting of one more": {func(c *certificate, m *certify.Manifest, last *certify.Step) {
			r, err := m.Region()
			if err != nil {
				t.Fatal(err)
			}
			m.Floor = certify.Needs(r) + 1
			m.Steps = []certify.Step{{Cells: m.Cells, Bound: m.Floor - 1, By: certify.Counting}}
		}, "step 1: counting shows that the region needs"},
		"counting of a part": {func(c *certificate, m *certify.Manifest, last *certify.Step) {
			m.Steps[0].By, m.Steps[0].Bound = certify.Counting, 0
		}, "step 1: counting shows"},
		"exhaustion that finds": {func(c *certificate, m *certify.Manifest, last *certify.Step) {
			*last = certify.Step{Cells: m.Cells, Bound: m.Floor, By: certify.Exhaustion, Nodes: 5}
			m.Floor++
		}, "step 3: the exhaustion finds a refill that breaks 5 seams"},
		"exhaustion of a part": {func(c *certificate, m *certify.Manifest, last *certify.Step) {
			m.Steps[0].By = certify.Exhaustion
		}, "step 1: an exhaustion of a part"},
		"shown by nothing":   {func(c *certificate, m *certify.Manifest, last *certify.Step) { last.By = "" }, `step 3: shown by "", want counting, proof or exhaustion`},
		"shown by authority": {func(c *certificate, m *certify.Manifest, last *certify.Step) { last.By = "authority" }, `shown by "authority"`},
		"no formula":         {func(c *certificate, m *certify.Manifest, last *certify.Step) { last.Formula = nil }, "step 3: without a formula or a proof"},
		"no proof":           {func(c *certificate, m *certify.Manifest, last *certify.Step) { last.Proof = nil }, "step 3: without a formula or a proof"},
		"proof file missing": {func(c *certificate, m *certify.Manifest, last *certify.Step) { delete(c.files, last.Proof.Name) }, "step 3: open inside-8.drat: file does not exist"},
		"empty proof":        {func(c *certificate, m *certify.Manifest, last *certify.Step) { c.put(last.Proof, nil) }, "step 3: inside-8.drat: drat: step 1: the proof ends here"},
		"proof cut": {func(c *certificate, m *certify.Manifest, last *certify.Step) {
			c.put(last.Proof, c.files[last.Proof.Name].Data[:200])
		}, "inside-8.drat: drat: step"},
		"proof of an empty clause": {func(c *certificate, m *certify.Manifest, last *certify.Step) { c.put(last.Proof, []byte{'a', 0}) }, "inside-8.drat: drat: step 1: lemma 0"},
		"garbage": {func(c *certificate, m *certify.Manifest, last *certify.Step) {
			c.put(last.Proof, []byte("no model exists, trust me"))
		}, "inside-8.drat: drat: step 1"},
		"proof of another step": {func(c *certificate, m *certify.Manifest, last *certify.Step) { last.Proof = m.Steps[1].Proof }, "step 3: inside-6.drat: drat: "},
		"formula of another":    {func(c *certificate, m *certify.Manifest, last *certify.Step) { last.Formula = m.Steps[1].Formula }, "step 3: inside-6.cnf is not the formula"},
		"proof outside":         {func(c *certificate, m *certify.Manifest, last *certify.Step) { last.Proof.Name = "../inside-9.drat" }, `step 3: a file "../inside-9.drat", want one beside the manifest`},
		"absolute proof":        {func(c *certificate, m *certify.Manifest, last *certify.Step) { last.Proof.Name = "/etc/passwd" }, `step 3: a file "/etc/passwd", want one beside the manifest`},
		"formula outside":       {func(c *certificate, m *certify.Manifest, last *certify.Step) { last.Formula.Name = "a/../../b" }, `step 3: a file "a/../../b", want one beside the manifest`},
		"proof without a name":  {func(c *certificate, m *certify.Manifest, last *certify.Step) { last.Proof.Name = "" }, `step 3: a file "", want one beside the manifest`},
		"the folder as a proof": {func(c *certificate, m *certify.Manifest, last *certify.Step) { last.Proof.Name = "." }, "step 3: "},
	} {
		t.Run(name, func(t *testing.T) {
			c := certificates(t)["steps"].copy(t)
			m := c.manifest
			test.forge(c, m, &m.Steps[len(m.Steps)-1])
			m.Reseal()
			if err := c.check(t); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

// remake writes the formulas of the steps anew, as they are now.
func (c *certificate) remake(t *testing.T) {
	t.Helper()
	r, err := c.manifest.Region()
	if err != nil {
		t.Fatal(err)
	}
	floors := certify.Floors{}
	for i := range c.manifest.Steps {
		s := &c.manifest.Steps[i]
		q, err := r.Ask(s.Cells, s.Bound, floors)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if _, err := q.Formula.WriteTo(&text); err != nil {
			t.Fatal(err)
		}
		if s.Formula != nil {
			c.put(s.Formula, text.Bytes())
		}
		floors.Raise(s.Cells, s.Bound+1)
	}
}

// Whoever forges a manifest and all that goes with it can still claim nothing
// false: proofs are changed, exchanged and cut, formulas made to fit.
func TestForgedManifestClaimsNothingFalse(t *testing.T) {
	accepted, refused := 0, 0
	for name, good := range certificates(t) {
		region, err := good.manifest.Region()
		if err != nil {
			t.Fatal(err)
		}
		truth, err := certify.Exhaust(t.Context(), region, certify.Better, ledger.Plan{})
		if err != nil || truth.Floor != truth.Best {
			t.Fatal(truth, err)
		}
		r := random.New(13, "forge", len(name))
		for range 50 {
			c := good.copy(t)
			m := c.manifest
			for range 1 + r.Below(3) {
				s := &m.Steps[r.Below(len(m.Steps))]
				switch r.Below(8) {
				case 0:
					m.Floor += 1 - r.Below(3)
				case 1:
					s.Bound += r.Below(2)
				case 2:
					i := r.Below(len(m.Steps))
					*s, m.Steps[i] = m.Steps[i], *s
				case 3:
					s.Proof = m.Steps[r.Below(len(m.Steps))].Proof
				case 4, 5:
					if s.Proof == nil {
						break
					}
					data := slices.Clone(c.files[s.Proof.Name].Data)
					if len(data) > 0 {
						data[r.Below(len(data))] ^= 1 << r.Below(8)
						data = data[:len(data)-r.Below(2)*r.Below(len(data))]
					}
					c.put(s.Proof, data)
				case 6:
					s.Cells = m.Steps[r.Below(len(m.Steps))].Cells
				case 7:
					s.By = []string{certify.Counting, certify.Exhaustion, certify.Proof}[r.Below(3)]
				}
			}
			c.remake(t)
			m.Claim = certify.ClaimOf(region, m.Floor)
			m.Reseal()
			switch err := c.check(t); {
			case err != nil:
				refused++
			case m.Floor > truth.Best:
				t.Fatalf("%s: a floor of %d is accepted, and a refill breaks %d: %+v", name, m.Floor, truth.Best, m.Steps)
			default:
				accepted++
			}
		}
	}
	if accepted < 10 || refused < 40 {
		t.Errorf("%d accepted, %d refused: want many of each", accepted, refused)
	}
}

// changing is a folder whose proofs grow once they have been read.
type changing struct {
	fstest.MapFS
	read map[string]bool
}

func (c changing) Open(name string) (fs.File, error) {
	f := c.MapFS[name]
	if f != nil && c.read[name] {
		return fstest.MapFS{name: {Data: append(slices.Clone(f.Data), 'a', 0)}}.Open(name)
	}
	c.read[name] = true
	return c.MapFS.Open(name)
}

// What is checked is what was hashed, even where a file changes in between.
func TestFileThatChanges(t *testing.T) {
	c := certificates(t)["small"]
	if err := check(t, c.manifest, changing{c.files, map[string]bool{}}); err == nil || !strings.Contains(err.Error(), "changes while it is read") {
		t.Error(err)
	}
}

// Where counting or an exhaustion shows more than nothing, it may be claimed.
func TestStepsWithoutProof(t *testing.T) {
	c := certificates(t)["small"].copy(t)
	m := c.manifest
	m.Steps = []certify.Step{{Cells: m.Cells, Bound: m.Floor - 1, By: certify.Exhaustion}}
	m.Reseal()
	if err := c.check(t); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := certify.Check(ctx, m, c.files, 0, 1, nil); err == nil || !strings.Contains(err.Error(), context.Canceled.Error()) {
		t.Errorf("exhaustion with a context that has ended: %v", err)
	}
	m = certificates(t)["small"].manifest
	if err := certify.Check(ctx, m, c.files, 0, 1, nil); err == nil || !strings.Contains(err.Error(), context.Canceled.Error()) {
		t.Errorf("proof with a context that has ended: %v", err)
	}
	if err := certify.Check(t.Context(), m, c.files, 1000, 1, nil); err == nil || !strings.Contains(err.Error(), drat.ErrMemory.Error()) {
		t.Errorf("with 1000 bytes: %v", err)
	}
	told := ""
	if err := certify.Check(t.Context(), m, c.files, 0, 1, func(i int, s *certify.Step) { told += fmt.Sprint(i, s.By) }); err != nil || told != "0proof" {
		t.Errorf("told %q, %v", told, err)
	}
}

func FuzzRead(f *testing.F) {
	for _, c := range certificates(f) {
		f.Add(written(f, c.manifest))
	}
	for number := range 20 {
		if x := newScene(f, number, 1000); x != nil {
			r, err := certify.NewRegion(x.board, x.cells)
			if err != nil {
				f.Fatal(err)
			}
			res, err := certify.Exhaust(f.Context(), r, certify.Better, ledger.Plan{})
			if err != nil {
				f.Fatal(err)
			}
			f.Add(written(f, res.Certificate(r)))
		}
	}
	files := certificates(f)["steps"].files
	f.Fuzz(func(t *testing.T, text []byte) {
		certify.Read(bytes.NewReader(text))
		// Most of what is wrong has a wrong seal too: without it there is more to find.
		m := &certify.Manifest{}
		if json.Unmarshal(text, m) != nil || len(m.Puzzle.Pieces) > 64 {
			return
		}
		m.Format, m.Version, m.Encoding = certify.Format, certify.Version, certify.Encoding
		m.Reseal()
		again, err := certify.Read(bytes.NewReader(written(t, m)))
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		m.Region()
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		certify.Check(ctx, again, files, 1<<20, 1, nil)
	})
}
