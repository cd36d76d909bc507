//go:build unix

package solver

import (
	"context"
	"fmt"
	"os/exec"
	"syscall"
)

func canRunCadical() error { return nil }

// bounded is a command whose address space has a limit in bytes, if that is not
// 0. The shell sets the limit, which this process must not set for itself, and
// becomes the program.
func bounded(ctx context.Context, limit int64, path string, args ...string) *exec.Cmd {
	if limit <= 0 {
		return exec.CommandContext(ctx, path, args...)
	}
	script := fmt.Sprintf(`ulimit -v %d && exec "$0" "$@"`, max(limit>>10, 1))
	return exec.CommandContext(ctx, "sh", append([]string{"-c", script, path}, args...)...)
}

// alone gives the command a process group, which ends with its context.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return end(cmd) }
}

// end kills all that is left of the group of a command.
func end(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
