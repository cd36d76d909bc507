package uai

import (
	"bufio"
	"bytes"
	"io"
	"time"
)

// maxLine is the length of the longest command, in bytes without its end: a
// position after thousands of moves.
const maxLine = 64 << 10

// line is a command as it came in.
type line struct {
	text string
	long bool // too long: the text is not kept
	came time.Time
}

// read sends the lines of in until it ends, then closes the channel and leaves
// what ended it, unless that is io.EOF, in *failure. It gives up when gone is
// closed, but not before in returns from a read.
func read(in io.Reader, lines chan<- line, gone <-chan struct{}, failure *error) {
	defer close(lines)
	r := bufio.NewReaderSize(in, maxLine+2)
	for {
		text, err := r.ReadSlice('\n')
		long := err == bufio.ErrBufferFull
		for err == bufio.ErrBufferFull {
			_, err = r.ReadSlice('\n')
		}
		l := line{came: time.Now(), long: long}
		if !long {
			text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
			if l.long = len(text) > maxLine; !l.long {
				l.text = string(text)
			}
		}
		if l.text != "" || l.long {
			select {
			case lines <- l:
			case <-gone:
				return
			}
		}
		if err != nil {
			if err != io.EOF {
				*failure = err
			}
			return
		}
	}
}
