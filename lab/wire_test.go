package lab

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// serving serves some files on a free port until the test ends.
func serving(t *testing.T, o func(addr string) Options) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr = l.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	h := handler(t, o(addr))
	go func() { done <- Serve(ctx, l, h) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return addr
}

// ask sends a request as it is written and returns the answer.
func ask(t *testing.T, addr, request string) (*http.Response, string) {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	method, _, _ := strings.Cut(request, " ")
	r, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%.60q: %v", request, err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatalf("%.60q: %v", request, err)
	}
	return r, string(body)
}

// What comes over the wire, where no client has tidied it: never a file that is
// not of the lab, never a redirect, and the policy on all that the lab answers.
func TestOverTheWire(t *testing.T) {
	addr := serving(t, func(addr string) Options { return Options{Hosts: []string{addr}} })
	for _, c := range []struct {
		line, host, more string
		status           int
		ours             bool // else net/http refuses it before it comes to the lab
	}{
		{"GET / HTTP/1.1", addr, "", 200, true},
		{"GET /main%2ejs HTTP/1.1", addr, "", 200, true},
		{"GET http://" + addr + "/main.js HTTP/1.1", addr, "", 200, true},
		{"GET http://" + addr + "/main.js HTTP/1.1", "evil.example", "", 200, true}, // the target's host is the one that counts
		{"GET http://evil.example/main.js HTTP/1.1", addr, "", 421, true},
		{"GET //evil.example/%2f.. HTTP/1.1", addr, "", 404, true},
		{"GET /\\evil.example HTTP/1.1", addr, "", 404, true},
		{"GET /../main.js HTTP/1.1", addr, "", 404, true},
		{"GET /./main.js HTTP/1.1", addr, "", 404, true},
		{"GET /..%2f..%2fetc%2fpasswd HTTP/1.1", addr, "", 404, true},
		{"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1", addr, "", 404, true},
		{"GET /..%5cmain.js HTTP/1.1", addr, "", 404, true},
		{"GET /main.js%00 HTTP/1.1", addr, "", 404, true},
		{"GET /main.js/ HTTP/1.1", addr, "", 404, true},
		{"GET /index.html/.. HTTP/1.1", addr, "", 404, true},
		{"GET /MAIN.JS HTTP/1.1", addr, "", 404, true},
		{"GET /.gitignore HTTP/1.1", addr, "", 404, true},
		{"GET /secret.txt HTTP/1.1", addr, "", 404, true},
		{"GET /?next=//evil.example HTTP/1.1", addr, "", 200, true},
		{"HEAD / HTTP/1.1", addr, "", 200, true},
		{"HEAD /nothing HTTP/1.1", addr, "", 404, true},
		{"POST / HTTP/1.1", addr, "Content-Length: 9\r\n\r\nsome body", 405, true},
		{"POST / HTTP/1.1", addr, "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n", 405, true},
		{"GET / HTTP/1.1", addr, "Content-Length: 5\r\n\r\nhello", 200, true},
		{"PUT /main.js HTTP/1.1", addr, "Content-Length: 0\r\n", 405, true},
		{"TRACE / HTTP/1.1", addr, "", 405, true},
		{"BREW / HTTP/1.1", addr, "", 405, true},
		{"OPTIONS * HTTP/1.1", addr, "", 405, true},
		{"OPTIONS * HTTP/1.1", "evil.example", "", 421, true},
		{"CONNECT evil.example:443 HTTP/1.1", "evil.example:443", "", 421, true},
		{"GET / HTTP/1.0", "", "", 421, true},
		{"GET / HTTP/1.1", "", "", 421, true},
		{"GET / HTTP/1.1", addr + ".", "", 421, true},
		{"GET / HTTP/1.1", "0.0.0.0", "", 421, true},
		{"GET / HTTP/1.1", "user@" + addr, "", 400, false},
		{"GET /%zz HTTP/1.1", addr, "", 400, false},
		{"GET / HTTP/9.9", addr, "", 505, false},
		{"GET / HTTP/1.1", addr, "X: ", 431, false}, // and on to the bound
	} {
		end := "\r\n"
		if strings.Contains(c.more, "\r\n\r\n") {
			end = ""
			if strings.HasSuffix(c.more, "0\r\n") {
				end = "\r\n"
			}
		}
		host := "Host: " + c.host + "\r\n"
		if strings.HasSuffix(c.line, "1.0") {
			host = ""
		}
		request := c.line + "\r\n" + host + c.more + end
		if c.status == 431 {
			// All that net/http reads: bytes that it leaves would reset the connection.
			request = strings.TrimSpace(request)
			request += strings.Repeat("x", maxHeader+4096-len(request))
		}
		r, body := ask(t, addr, request)
		if r.StatusCode != c.status || r.Header.Get("Location") != "" {
			t.Errorf("%s, Host %s: %s %v %.60q, want %d", c.line, c.host, r.Status, r.Header, body, c.status)
		}
		if c.ours && (r.Header.Get("Content-Security-Policy") != policy || r.Header.Get("Cross-Origin-Resource-Policy") != "same-origin") {
			t.Errorf("%s, Host %s: headers %v", c.line, c.host, r.Header)
		}
		if c.ours && c.status >= 400 && !strings.HasPrefix(c.line, "HEAD") && strings.Count(body, "\n") != 1 {
			t.Errorf("%s: %q, want one line", c.line, body)
		}
	}
}

// A token may be any text: what a cookie or a link cannot hold as it is comes
// back all the same.
func TestAnyToken(t *testing.T) {
	for _, token := range []string{`0123456789abcdef`, `a+b c&d=e%41;f,g"h\#`, "mot de passe très long", "0123456789abcde\x7f"} {
		addr := serving(t, func(string) Options { return Options{Token: token} })
		r, _ := ask(t, addr, "GET "+Link("h:1", token)[len("http://h:1"):]+" HTTP/1.1\r\nHost: h\r\n\r\n")
		if r.StatusCode != 200 || len(r.Cookies()) != 1 {
			t.Errorf("%q: %s %v", token, r.Status, r.Header)
			continue
		}
		c := r.Cookies()[0]
		if strings.Contains(c.Value, token) {
			t.Errorf("%q: the cookie %s shows it to every port of the machine", token, c.Value)
		}
		if r, _ := ask(t, addr, fmt.Sprintf("GET /main.js HTTP/1.1\r\nHost: h\r\nCookie: other=1; %s=%s\r\n\r\n", c.Name, c.Value)); r.StatusCode != 200 {
			t.Errorf("%q: with its cookie %s", token, r.Status)
		}
	}
}

// Who has no token keeps no connection.
func TestStrangersAreLetGo(t *testing.T) {
	addr := serving(t, func(string) Options { return Options{Token: "0123456789abcdef"} })
	if r, _ := ask(t, addr, "GET / HTTP/1.1\r\nHost: h\r\n\r\n"); r.StatusCode != 401 || !r.Close {
		t.Errorf("%s, closed %v", r.Status, r.Close)
	}
}

// No more connections than there is room for, and an end even when it is full.
func TestRoomForSoMany(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	full := limit(l, 1)
	var left atomic.Bool
	dial := func() {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
	}
	dial()
	dial()
	first, err := full.Accept()
	if err != nil {
		t.Fatal(err)
	}
	second := make(chan error)
	go func() {
		_, err := full.Accept()
		if err == nil && !left.Load() {
			err = fmt.Errorf("let in before the first had left")
		}
		second <- err
	}()
	left.Store(true)
	first.Close()
	first.Close() // gives no more room than it had
	if err := <-second; err != nil {
		t.Error(err)
	}
	if len(full.room) != 1 {
		t.Errorf("room for %d taken, want 1", len(full.room))
	}
	third := make(chan error)
	go func() {
		_, err := full.Accept()
		third <- err
	}()
	full.Close()
	if err := <-third; !errors.Is(err, net.ErrClosed) {
		t.Errorf("full and closed: %v", err)
	}

	if l, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	h := handler(t, Options{})
	go func() { done <- Serve(ctx, l, h) }()
	for range most + 3 {
		dial()
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
