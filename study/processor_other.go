//go:build !unix

package study

import "time"

var started = time.Now()

// processorTime is the time that has passed, as the system does not tell of that
// of its processors in a way that is known here.
func processorTime() time.Duration { return time.Since(started) }
