package lab

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// policy keeps the page to its own files: no inline script, nothing from
// elsewhere, no frame around it.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// MinToken is the least length of a token.
const MinToken = 16

// NewToken makes a token of 128 random bits.
func NewToken() string {
	secret := make([]byte, 16)
	rand.Read(secret) // never fails
	return hex.EncodeToString(secret)
}

// Options say who may look.
type Options struct {
	// Token is asked of everybody when it is set: once as ?token= in the link,
	// then as a cookie.
	Token string
	// Hosts are the names that a request may be for, with their ports; nil for
	// any. On loopback they keep pages of other sites out that name this machine
	// by a name of their own (DNS rebinding).
	Hosts []string
	// Live is a run to be watched, or nil. The page then has a room for it.
	Live *Feed
}

// page is a file ready to be sent.
type page struct {
	kind         string
	plain, small []byte // small is nil where compression does not pay
	tag          string
}

var kinds = map[string]string{
	"index.html": "text/html; charset=utf-8", "main.js": "text/javascript; charset=utf-8", "worker.js": "text/javascript; charset=utf-8",
	"style.css": "text/css; charset=utf-8", "icon.svg": "image/svg+xml", "engine.wasm.gz": "application/gzip",
}

// Handler serves the files of the lab and nothing else, to those who may look.
func Handler(files fs.FS, o Options) (http.Handler, error) {
	pages := map[string]*page{}
	for _, name := range Names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		if name == "index.html" && o.Live != nil {
			data = bytes.Replace(data, []byte("<html "), []byte(`<html data-live="yes" `), 1)
		}
		sum := sha256.Sum256(data)
		p := &page{kind: kinds[name], plain: data, tag: `"` + hex.EncodeToString(sum[:12]) + `"`}
		if !strings.HasSuffix(name, ".gz") {
			var small bytes.Buffer
			w, err := gzip.NewWriterLevel(&small, gzip.BestCompression)
			if err != nil {
				return nil, err
			}
			if _, err := w.Write(data); err != nil {
				return nil, err
			}
			if err := w.Close(); err != nil {
				return nil, err
			}
			p.small = small.Bytes()
		}
		pages["/"+name] = p
	}
	pages["/"] = pages["/index.html"]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		for name, value := range map[string]string{
			"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
			"Permissions-Policy": "camera=(), microphone=(), geolocation=()", "Cache-Control": "no-cache", "Vary": "Accept-Encoding, Cookie",
		} {
			h.Set(name, value)
		}
		if o.Hosts != nil && !contains(o.Hosts, r.Host) {
			http.Error(w, "this lab answers to "+strings.Join(o.Hosts, ", "), http.StatusMisdirectedRequest)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
			return
		}
		if o.Token != "" && !o.admits(w, r) {
			http.Error(w, "open the link that lastmile lab printed: it holds the token", http.StatusUnauthorized)
			return
		}
		if o.Live != nil && r.URL.Path == "/live" {
			o.Live.ServeHTTP(w, r)
			return
		}
		p := pages[r.URL.Path]
		if p == nil {
			http.Error(w, "no such file", http.StatusNotFound)
			return
		}
		p.send(w, r)
	}), nil
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if strings.EqualFold(x, s) {
			return true
		}
	}
	return false
}

const cookie = "lastmile-lab"

// admits tells whether a request shows the token, and lets the browser keep it.
func (o *Options) admits(w http.ResponseWriter, r *http.Request) bool {
	same := func(s string) bool {
		a, b := sha256.Sum256([]byte(s)), sha256.Sum256([]byte(o.Token))
		return subtle.ConstantTimeCompare(a[:], b[:]) == 1
	}
	if same(r.URL.Query().Get("token")) {
		http.SetCookie(w, &http.Cookie{Name: cookie, Value: o.Token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
		return true
	}
	c, err := r.Cookie(cookie)
	return err == nil && same(c.Value)
}

func (p *page) send(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", p.kind)
	data, tag := p.plain, p.tag
	if p.small != nil && acceptsGzip(r.Header.Get("Accept-Encoding")) {
		data, tag = p.small, strings.TrimSuffix(p.tag, `"`)+`-gzip"`
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("ETag", tag)
	for _, known := range strings.Split(r.Header.Get("If-None-Match"), ",") {
		if strings.TrimPrefix(strings.TrimSpace(known), "W/") == tag {
			h.Del("Content-Encoding")
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	h.Set("Content-Length", fmt.Sprint(len(data)))
	if r.Method == http.MethodGet {
		w.Write(data) // who does not wait for it does not want it
	}
}

// acceptsGzip reads an Accept-Encoding: gzip is named and not refused.
func acceptsGzip(accept string) bool {
	for _, part := range strings.Split(accept, ",") {
		name, q, _ := strings.Cut(part, ";")
		if n := strings.TrimSpace(name); n == "gzip" || n == "*" {
			return strings.Trim(strings.TrimPrefix(strings.ReplaceAll(q, " ", ""), "q="), "0.") != "" || q == ""
		}
	}
	return false
}

// most connections at once.
const most = 256

// Serve answers on a listener until the context ends, and then lets requests that
// have begun come to their end, for a second.
func Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	s := &http.Server{
		Handler: http.MaxBytesHandler(h, 1), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: time.Minute, IdleTimeout: time.Minute,
		MaxHeaderBytes: 16 << 10,
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(&limited{l, make(chan struct{}, most)}) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := s.Shutdown(patience); err != nil {
		s.Close()
	}
	if err := <-done; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// limited is a listener of so many connections at once.
type limited struct {
	net.Listener
	room chan struct{}
}

// Accept waits for room.
func (l *limited) Accept() (net.Conn, error) {
	l.room <- struct{}{}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.room
		return nil, err
	}
	return &counted{Conn: c, leave: sync.OnceFunc(func() { <-l.room })}, nil
}

// counted is a connection that takes room until it is closed.
type counted struct {
	net.Conn
	leave func()
}

// Close gives the room back, once.
func (c *counted) Close() error {
	c.leave()
	return c.Conn.Close()
}
