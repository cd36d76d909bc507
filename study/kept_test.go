package study

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestKeptRuns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kept")
	said := 0
	measure := func(limit time.Duration, seeds ...uint64) ([]solveRun, *Report, error) {
		t.Helper()
		k, err := OpenKept(path, solveBoards)
		if err != nil {
			t.Fatal(err)
		}
		said = 0
		r, err := Run(context.Background(), solveBoards, Options{Quick: true, Time: limit, Seeds: seeds, Kept: k, Say: func(string) { said++ }})
		if err != nil {
			return nil, nil, err
		}
		return r.Tables[2].Data.([]solveRun), r, nil
	}
	first, _, err := measure(50*time.Millisecond, 4)
	if err != nil {
		t.Fatal(err)
	}
	more, r, err := measure(50*time.Millisecond, 4, 5)
	if err != nil {
		t.Fatal(err)
	}
	if len(first) != 4 || len(more) != 8 || said != 8 {
		t.Fatalf("%d runs, then %d; %d lines", len(first), len(more), said)
	}
	for i, run := range first { // to the last digit of its time: it was not run again
		if got := more[2*i]; !reflect.DeepEqual(got, run) {
			t.Errorf("kept %+v, want %+v", got, run)
		}
	}
	if !strings.Contains(strings.Join(r.Notes, " "), "8 runs by ") {
		t.Errorf("notes %q", r.Notes)
	}
	if _, _, err := measure(60*time.Millisecond, 4); !errors.Is(err, ErrKept) || !strings.Contains(err.Error(), "50ms on 1 thread") {
		t.Errorf("runs of another time: %v", err)
	}

	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var file map[string]any
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	run := file["state"].(map[string]any)["none 4"].(map[string]any)["run"].(map[string]any)
	run["score"] = run["score"].(float64) + 1
	if text, err = json.Marshal(file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := measure(50*time.Millisecond, 4); !errors.Is(err, ErrKept) || !strings.Contains(err.Error(), "none, seed 4: a board said to score") {
		t.Errorf("a forged score: %v", err)
	}
}

// A run that was cut short is not kept.
func TestKeptRunsAreWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kept")
	k, err := OpenKept(path, solveLong)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	lines := 0
	say := func(string) {
		if lines++; lines == 2 {
			cancel()
		}
	}
	if _, err := Run(ctx, solveLong, Options{Quick: true, Time: 30 * time.Millisecond, Kept: k, Say: say}); err != nil {
		t.Fatal(err)
	}
	if k, err = OpenKept(path, solveLong); err != nil || len(k.runs) != 1 {
		t.Errorf("%d runs kept, %v", len(k.runs), err)
	}
}

func TestKeptRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kept")
	if _, err := OpenKept(path, beamAblation); err == nil || !strings.Contains(err.Error(), "keeps no runs") {
		t.Error(err)
	}
	if err := os.WriteFile(path, []byte("a letter"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenKept(path, solveBoards); err == nil || !strings.Contains(err.Error(), "not a checkpoint") {
		t.Error(err)
	}
}
