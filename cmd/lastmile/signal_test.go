package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

var terminate os.Signal = syscall.SIGTERM

// A run that was started to outlive its terminal does: the hang-up is ignored,
// and the next signal still prints the board.
func TestNohup(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program")
	}
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	program := binary(t)
	dir := t.TempDir()
	c := exec.Command(shell, "-c", `trap "" HUP INT; exec "$0" solve --time 1h --width 32 -q --every 10ms --checkpoint run`, program)
	c.Dir = dir
	var out bytes.Buffer
	c.Stdout = &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- c.Wait() }()
	saves := func() time.Time {
		info, err := os.Stat(filepath.Join(dir, "run"))
		if err != nil {
			return time.Time{}
		}
		return info.ModTime()
	}
	// saved waits until the run has saved itself again: it is at work.
	saved := func(after time.Time) bool {
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
			select {
			case err := <-done:
				t.Fatalf("ended: %v", err)
			default:
			}
			if saves().After(after) {
				return true
			}
		}
		return false
	}
	if !saved(time.Time{}) {
		t.Fatal("never saved")
	}
	for _, s := range []os.Signal{syscall.SIGHUP, os.Interrupt} {
		if err := c.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if !saved(saves()) {
				t.Fatalf("no longer at work after %v", s)
			}
		}
	}
	if err := c.Process.Signal(terminate); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil || !bytes.HasPrefix(out.Bytes(), []byte("score ")) {
		t.Errorf("%v, %q", err, out.String())
	}
}
