package certify

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
)

// Store keeps the files of a certificate: formulas and proofs.
type Store interface {
	// Create begins a file, which is there, under its name, once it is committed.
	Create(name string) (File, error)
	Remove(name string) error
}

// File is a file that is being written, until Commit succeeds or Abort is called.
type File interface {
	io.Writer
	Commit() error // the file is whole
	Abort()        // it is of no use
}

// nowhere is the Store of who wants the verdict alone.
type nowhere struct{}

func (nowhere) Create(string) (File, error)       { return nowhere{}, nil }
func (nowhere) Remove(string) error               { return nil }
func (nowhere) Write(p []byte) (n int, err error) { return len(p), nil }
func (nowhere) Commit() error                     { return nil }
func (nowhere) Abort()                            {}

// Content names a file and says what must be in it.
type Content struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// errFull says that a proof has grown too long.
var errFull = errors.New("certify: the proof is longer than it may be")

// measured passes on what is written to a file, up to a number of bytes, and
// knows its content.
type measured struct {
	to    io.Writer
	limit int64 // 0 for none
	bytes int64
	sum   hash.Hash
	full  bool
	err   error // of the file
}

func measure(to io.Writer, limit int64) *measured {
	return &measured{to: to, limit: limit, sum: sha256.New()}
}

func (m *measured) Write(p []byte) (int, error) {
	if m.limit > 0 && m.bytes+int64(len(p)) > m.limit {
		m.full = true
		return 0, errFull
	}
	n, err := m.to.Write(p)
	m.bytes += int64(n)
	m.sum.Write(p[:n])
	if err != nil && m.err == nil {
		m.err = err
	}
	return n, err
}

func (m *measured) content(name string) Content {
	return Content{name, m.bytes, hex.EncodeToString(m.sum.Sum(nil))}
}
