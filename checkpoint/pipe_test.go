//go:build unix

package checkpoint

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// What is no file is written into, not replaced.
func TestPipeStaysAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	if err := Writable(path); err != nil {
		t.Error(err)
	}
	if aside, err := SetAside(path); err == nil {
		t.Errorf("set aside as %s", aside)
	}
	read := make(chan string)
	go func() {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		read <- string(text)
	}()
	if err := WriteFile(path, []byte("board")); err != nil {
		t.Fatal(err)
	}
	if got := <-read; got != "board" {
		t.Errorf("read %q", got)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Error("the pipe was replaced")
	}
}
