//go:build !unix

package solver

import (
	"context"
	"errors"
	"os/exec"
)

func canRunCadical() error { return errors.New("cadical is run on Unix only; gophersat runs anywhere") }

func bounded(ctx context.Context, _ int64, path string, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, path, args...)
}

func alone(*exec.Cmd) {}

func end(cmd *exec.Cmd) error { return cmd.Process.Kill() }
