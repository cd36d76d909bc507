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
	"net/url"
	"strings"
	"sync"
	"time"
)

// policy keeps the page to its own files: no inline script, nothing from
// elsewhere, no frame around it.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// The least and the greatest length of a token.
const (
	MinToken = 16
	MaxToken = 256
)

// NewToken makes a token of 128 random bits.
func NewToken() string {
	secret := make([]byte, 16)
	rand.Read(secret) // never fails
	return hex.EncodeToString(secret)
}

// Link is where a browser finds the lab, with the token if there is one.
func Link(host, token string) string {
	if token == "" {
		return "http://" + host + "/"
	}
	return "http://" + host + "/?token=" + url.QueryEscape(token)
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
	// Live is what is to be watched, a Feed or a HuntFeed, or nil. The page then has
	// a room for it.
	Live http.Handler
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
			h.Set("Connection", "close") // strangers take no room
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

// kept is what a browser keeps of a token: a hash, which any token has in letters
// that a cookie may hold. Cookies go to every port of a host, the token does not.
func kept(token string) string {
	sum := sha256.Sum256([]byte(cookie + " " + token))
	return hex.EncodeToString(sum[:])
}

// admits tells whether a request shows the token, and lets the browser keep it.
func (o *Options) admits(w http.ResponseWriter, r *http.Request) bool {
	want := kept(o.Token)
	same := func(s string) bool { return subtle.ConstantTimeCompare([]byte(s), []byte(want)) == 1 }
	if same(kept(r.URL.Query().Get("token"))) {
		http.SetCookie(w, &http.Cookie{Name: cookie, Value: want, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
		return true
	}
	c, err := r.Cookie(cookie)
	return err == nil && same(c.Value)
}

func (p *page) send(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", p.kind)
	data, tag := p.plain, p.tag
	if p.small != nil && acceptsGzip(strings.Join(r.Header.Values("Accept-Encoding"), ",")) {
		data, tag = p.small, strings.TrimSuffix(p.tag, `"`)+`-gzip"`
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("ETag", tag)
	for _, known := range strings.Split(strings.Join(r.Header.Values("If-None-Match"), ","), ",") {
		if known = strings.TrimPrefix(strings.TrimSpace(known), "W/"); known == tag || known == "*" {
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

// acceptsGzip reads an Accept-Encoding: gzip is not refused, by its name or, where
// it is not named, by *.
func acceptsGzip(accept string) bool {
	others := false
	for part := range strings.SplitSeq(strings.ToLower(accept), ",") {
		name, q, _ := strings.Cut(strings.ReplaceAll(part, " ", ""), ";")
		wanted := q == "" || strings.Trim(strings.TrimPrefix(q, "q="), "0.") != ""
		switch name {
		case "gzip":
			return wanted
		case "*":
			others = wanted
		}
	}
	return others
}

const (
	most      = 256 // connections at once
	maxHeader = 16 << 10
)

// Serve answers on a listener until the context ends, and then lets requests that
// have begun come to their end, for a second.
func Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	s := &http.Server{
		Handler: http.MaxBytesHandler(h, 1), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: time.Minute, IdleTimeout: time.Minute,
		MaxHeaderBytes:               maxHeader,
		DisableGeneralOptionsHandler: true, // which answers without the policy
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(limit(l, most)) }()
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
	room   chan struct{}
	closed chan struct{}
	end    func()
}

func limit(l net.Listener, n int) *limited {
	closed := make(chan struct{})
	return &limited{l, make(chan struct{}, n), closed, sync.OnceFunc(func() { close(closed) })}
}

// Accept waits for room, until the listener is closed: a server that is full must
// still come to its end.
func (l *limited) Accept() (net.Conn, error) {
	select {
	case l.room <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.room
		return nil, err
	}
	return &counted{Conn: c, leave: sync.OnceFunc(func() { <-l.room })}, nil
}

// Close ends the wait for connections and for room.
func (l *limited) Close() error {
	l.end()
	return l.Listener.Close()
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
