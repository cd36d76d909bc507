package certify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"lastmile/certify/drat"
	"lastmile/ledger"
)

// Check verifies a manifest from the board alone: it makes each formula anew,
// compares it with the one that was proved, and checks each proof, which it reads
// from the files. It needs no solver and believes nothing that the manifest says.
// Memory bounds the checker, in bytes; 0 is no bound. Told hears of each step before
// it is checked.
func Check(ctx context.Context, m *Manifest, files fs.FS, memory int64, threads int, told func(step int, s *Step)) error {
	r, err := m.Region()
	if err != nil {
		return fmt.Errorf("the board: %w", err)
	}
	c := &checking{r, files, memory, threads, Floors{}}
	for i := range m.Steps {
		s := &m.Steps[i]
		if told != nil {
			told(i, s)
		}
		if err := c.step(ctx, s); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
		c.floors.Raise(s.Cells, s.Bound+1)
	}
	if floor := c.floors.of(r.window(r.cells)); floor != m.Floor {
		return fmt.Errorf("the steps show a floor of %d breaks, not %d", floor, m.Floor)
	}
	if claim := r.claim(m.Floor); m.Claim != claim {
		return fmt.Errorf("the claim is not what the steps show: %q", claim)
	}
	return nil
}

type checking struct {
	region  *Region
	files   fs.FS
	memory  int64
	threads int
	floors  Floors
}

func (c *checking) step(ctx context.Context, s *Step) error {
	q, err := c.region.Ask(s.Cells, s.Bound, c.floors)
	if err != nil {
		return err
	}
	whole := len(s.Cells) == len(c.region.cells)
	switch s.By {
	case Counting:
		if needs := c.region.needs(); !whole || needs <= s.Bound {
			return fmt.Errorf("counting shows that the region needs %d breaks, not more than %d", needs, s.Bound)
		}
		return nil
	case Exhaustion:
		if !whole {
			return errors.New("an exhaustion of a part, want one of the region")
		}
		return c.again(ctx, s)
	case Proof:
		return c.proof(ctx, q, s)
	}
	return fmt.Errorf("shown by %q, want %s, %s or %s", s.By, Counting, Proof, Exhaustion)
}

// again runs an exhaustion again.
func (c *checking) again(ctx context.Context, s *Step) error {
	e, err := exhaust(ctx, c.region, s.Bound, ledger.State{}, ledger.Plan{Threads: c.threads})
	switch {
	case err != nil:
		return err
	case e.Breaks >= 0:
		return fmt.Errorf("the exhaustion finds a refill that breaks %d seams", e.Breaks)
	case e.Censored:
		return ctx.Err()
	}
	return nil
}

// proof checks the formula and the proof of a step.
func (c *checking) proof(ctx context.Context, q *Question, s *Step) error {
	if s.Formula == nil || s.Proof == nil {
		return errors.New("without a formula or a proof")
	}
	for _, f := range []*Content{s.Formula, s.Proof} {
		if !fs.ValidPath(f.Name) {
			return fmt.Errorf("a file %q, want one beside the manifest", f.Name)
		}
	}
	formula := measure(io.Discard, 0)
	if _, err := q.Formula.WriteTo(formula); err != nil {
		return err
	}
	if content := formula.content(s.Formula.Name); content != *s.Formula {
		return fmt.Errorf("%s is not the formula of this board and these cells", s.Formula.Name)
	}
	// The copy of the formula is for the tools of others; it may be missing.
	switch err := c.same(s.Formula); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	}
	if err := c.same(s.Proof); err != nil {
		return err
	}
	f, err := c.files.Open(s.Proof.Name)
	if err != nil {
		return err
	}
	defer f.Close()
	// It is hashed as it is checked too: the file might change in between.
	sum := sha256.New()
	_, err = drat.Check(ctx, q.Formula, io.TeeReader(f, sum), drat.Binary, drat.Limits{Memory: c.memory})
	if err != nil {
		return fmt.Errorf("%s: %w", s.Proof.Name, err)
	}
	if _, err := io.Copy(sum, f); err != nil {
		return fmt.Errorf("%s: %w", s.Proof.Name, err)
	}
	if hex.EncodeToString(sum.Sum(nil)) != s.Proof.SHA256 {
		return fmt.Errorf("%s changes while it is read", s.Proof.Name)
	}
	return nil
}

// same compares a file with what must be in it.
func (c *checking) same(want *Content) error {
	f, err := c.files.Open(want.Name)
	if err != nil {
		return err
	}
	defer f.Close()
	got := measure(io.Discard, 0)
	if _, err := io.Copy(got, f); err != nil {
		return fmt.Errorf("%s: %w", want.Name, err)
	}
	switch content := got.content(want.Name); {
	case content.Bytes != want.Bytes:
		return fmt.Errorf("%s has %d bytes, want %d", want.Name, content.Bytes, want.Bytes)
	case content != *want:
		return fmt.Errorf("%s is not the file that was written: its hash differs", want.Name)
	}
	return nil
}
