package hunt

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"lastmile/checkpoint"
	"lastmile/hunt/queue"
)

// Folder is where a hunt is kept: its archive, the store of its own queue, the
// tokens of those whom that lets in.
type Folder struct {
	Dir  string
	lock *flock.Flock
}

// Open makes the folder, when it is not there, and holds it for one coordinator.
func Open(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, bare(err))
	}
	f := &Folder{dir, flock.New(filepath.Join(dir, "lock"))}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	held, err := f.lock.TryLockContext(ctx, 50*time.Millisecond)
	switch {
	case err != nil && ctx.Err() == nil:
		return nil, fmt.Errorf("%s: %w", dir, bare(err))
	case !held:
		return nil, fmt.Errorf("%s: a coordinator is at work there already; want hunt stop, or another folder", dir)
	}
	return f, nil
}

// Held tells whether a coordinator is at work in a folder.
func Held(dir string) bool {
	path := filepath.Join(dir, "lock")
	if _, err := os.Stat(path); err != nil {
		return false
	}
	l := flock.New(path)
	free, err := l.TryLock()
	if err != nil {
		return false
	}
	if free {
		l.Unlock()
	}
	return !free
}

// Close lets others have the folder.
func (f *Folder) Close() error { return f.lock.Unlock() }

// Queue is where the queue of the hunt keeps what it holds.
func (f *Folder) Queue() string { return filepath.Join(f.Dir, "queue") }

// TokenFile is the file with the token of a user of the queue of a folder.
func TokenFile(dir, user string) string { return filepath.Join(dir, user+".token") }

// Token is the token of a user of the queue, made when there is none.
func Token(dir, user string) (string, error) {
	token, err := ReadToken(TokenFile(dir, user))
	if !errors.Is(err, fs.ErrNotExist) {
		return token, err
	}
	lot := make([]byte, 24)
	rand.Read(lot)
	token = hex.EncodeToString(lot)
	return token, keepToken(dir, user, token)
}

// keepToken writes the token of a user of the queue into its folder.
func keepToken(dir, user, token string) error {
	path := TokenFile(dir, user)
	w, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600) // first, so that nobody else can read it for a moment
	if err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return checkpoint.WriteFile(path, []byte(token+"\n"))
}

// ReadToken reads a token from a file.
func ReadToken(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(text))
	if len(token) < minToken || len(token) > maxToken || strings.ContainsAny(token, " \t\r\n") {
		return "", fmt.Errorf("%s: want a token of %d to %d characters without blanks, and nothing else", path, minToken, maxToken)
	}
	return token, nil
}

const (
	minToken = 16
	maxToken = 256
)

// Address is where the queue of the hunt listens; "" when it listens to nobody.
func Address(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, "address"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// SetAddress notes where the queue listens.
func (f *Folder) SetAddress(url string) error {
	return checkpoint.WriteFile(filepath.Join(f.Dir, "address"), []byte(url+"\n"))
}

// Serve starts the queue of the hunt in this process. Tokens that the options do
// not name are those of the folder; those that they name are kept there.
func (f *Folder) Serve(o queue.ServerOptions) (*queue.Server, error) {
	for user, token := range map[string]*string{queue.Owner: &o.OwnerToken, queue.Worker: &o.WorkerToken} {
		var err error
		if *token == "" {
			*token, err = Token(f.Dir, user)
		} else {
			err = keepToken(f.Dir, user, *token)
		}
		if err != nil {
			return nil, err
		}
	}
	o.Dir = f.Queue()
	s, err := queue.Serve(o)
	if err != nil {
		return nil, err
	}
	if o.Listen == "" {
		return s, nil
	}
	if err := f.SetAddress(s.URL()); err != nil {
		s.Shutdown()
		return nil, err
	}
	return s, nil
}

// bare is an error of the file system without the path, which is said before.
func bare(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
