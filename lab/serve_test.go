package lab

import (
	"compress/gzip"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

// some are files in place of those of the lab.
func some() fstest.MapFS {
	files := fstest.MapFS{"secret.txt": {Data: []byte("secret")}}
	for _, name := range Names {
		files[name] = &fstest.MapFile{Data: []byte(strings.Repeat("this is "+name+"\n", 50))}
	}
	return files
}

func handler(t *testing.T, o Options) http.Handler {
	t.Helper()
	h, err := Handler(some(), o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestRequests(t *testing.T) {
	h := handler(t, Options{Hosts: []string{"localhost:8750", "127.0.0.1:8750"}})
	for _, c := range []struct {
		method, target, host string
		header               [2]string
		status               int
		body                 string // begins with
	}{
		{"GET", "/", "localhost:8750", [2]string{}, 200, "this is index.html"},
		{"GET", "/?x=1", "127.0.0.1:8750", [2]string{}, 200, "this is index.html"},
		{"GET", "/main.js", "LOCALHOST:8750", [2]string{}, 200, "this is main.js"},
		{"HEAD", "/main.js", "localhost:8750", [2]string{}, 200, ""},
		{"GET", "/engine.wasm.gz", "localhost:8750", [2]string{"Accept-Encoding", "gzip"}, 200, "this is engine"},
		{"GET", "/secret.txt", "localhost:8750", [2]string{}, 404, "no such file"},
		{"GET", "/../secret.txt", "localhost:8750", [2]string{}, 404, "no such file"},
		{"GET", "/%2e%2e/main.js", "localhost:8750", [2]string{}, 404, "no such file"},
		{"GET", "/..%2fmain.js", "localhost:8750", [2]string{}, 404, "no such file"},
		{"GET", "//main.js", "localhost:8750", [2]string{}, 404, "no such file"},
		{"GET", "//evil.example/", "localhost:8750", [2]string{}, 404, "no such file"},
		{"GET", "/dist/", "localhost:8750", [2]string{}, 404, "no such file"},
		{"GET", "http://evil.example/", "evil.example", [2]string{}, 421, "this lab answers to localhost:8750, 127.0.0.1:8750"},
		{"GET", "/", "evil.example:8750", [2]string{}, 421, "this lab answers to"},
		{"GET", "/", "localhost", [2]string{}, 421, "this lab answers to"},
		{"POST", "/", "localhost:8750", [2]string{}, 405, "only GET and HEAD"},
		{"OPTIONS", "/main.js", "localhost:8750", [2]string{}, 405, "only GET and HEAD"},
	} {
		r := httptest.NewRequest(c.method, c.target, nil)
		r.Host = c.host
		if c.header[0] != "" {
			r.Header.Set(c.header[0], c.header[1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.status || !strings.HasPrefix(w.Body.String(), c.body) || c.body == "" && w.Body.Len() > 0 {
			t.Errorf("%s %s for %s: %d %.40q, want %d %q", c.method, c.target, c.host, w.Code, w.Body, c.status, c.body)
		}
		if w.Header().Get("Content-Security-Policy") != policy || w.Header().Get("X-Content-Type-Options") != "nosniff" || w.Header().Get("Location") != "" {
			t.Errorf("%s %s: headers %v", c.method, c.target, w.Header())
		}
	}
}

func TestPolicyAllowsNothingInline(t *testing.T) {
	for _, word := range []string{"unsafe-inline", "'unsafe-eval'", "*", "http:", "https:"} {
		if strings.Contains(policy, word) {
			t.Errorf("the policy has %s", word)
		}
	}
}

func TestCompressedAndKnown(t *testing.T) {
	h := handler(t, Options{})
	get := func(path string, headers ...string) *http.Response {
		r := httptest.NewRequest("GET", path, nil)
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Result()
	}
	for accept, small := range map[string]bool{"gzip, br": true, "br;q=1, gzip;q=0.5": true, "*": true, "GZIP": true, "*;q=0, gzip": true, "gzip;q=0, *": false, "*;q=0": false, "gzip\t;q=0": false, "x-gzip": false, "gzip;q=0": false, "gzip; q=0.000": false, "identity": false, "": false} {
		r := get("/main.js", "Accept-Encoding", accept)
		var body io.Reader = r.Body
		if got := r.Header.Get("Content-Encoding") == "gzip"; got != small {
			t.Errorf("Accept-Encoding %q: compressed %v", accept, got)
			continue
		}
		if small {
			z, err := gzip.NewReader(body)
			if err != nil {
				t.Fatal(err)
			}
			body = z
		}
		if text, err := io.ReadAll(body); err != nil || !strings.HasPrefix(string(text), "this is main.js") {
			t.Errorf("%q: %.30q %v", accept, text, err)
		}
		tag := r.Header.Get("ETag")
		if again := get("/main.js", "Accept-Encoding", accept, "If-None-Match", `"other", W/`+tag); again.StatusCode != 304 {
			t.Errorf("%q known: %d", accept, again.StatusCode)
		}
		if again := get("/main.js", "Accept-Encoding", accept, "If-None-Match", "*"); again.StatusCode != 304 || again.Header.Get("ETag") != tag {
			t.Errorf("%q known whatever it is: %d", accept, again.StatusCode)
		}
		if again := get("/style.css", "Accept-Encoding", accept, "If-None-Match", tag); again.StatusCode != 200 {
			t.Errorf("%q of another file known: %d", accept, again.StatusCode)
		}
	}
	if r := get("/engine.wasm.gz", "Accept-Encoding", "gzip"); r.Header.Get("Content-Encoding") != "" || r.Header.Get("Content-Type") != "application/gzip" {
		t.Errorf("the engine comes as %v", r.Header)
	}
}

func TestToken(t *testing.T) {
	const token = "0123456789abcdef"
	h := handler(t, Options{Token: token})
	get := func(target string, c *http.Cookie) *http.Response {
		r := httptest.NewRequest("GET", target, nil)
		if c != nil {
			r.AddCookie(c)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Result()
	}
	for _, target := range []string{"/", "/main.js", "/?token=", "/?token=0123456789abcdeF", "/?token=0123456789abcdef0", "/?Token=" + token, "/nothing"} {
		if r := get(target, nil); r.StatusCode != 401 || len(r.Cookies()) > 0 {
			t.Errorf("%s: %d", target, r.StatusCode)
		}
	}
	r := get("/?token="+token, nil)
	if r.StatusCode != 200 || len(r.Cookies()) != 1 {
		t.Fatalf("with the token: %d, %v", r.StatusCode, r.Cookies())
	}
	c := r.Cookies()[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode {
		t.Errorf("cookie %v", c)
	}
	if r := get("/main.js", c); r.StatusCode != 200 {
		t.Errorf("with the cookie: %d", r.StatusCode)
	}
	c.Value = "x"
	if r := get("/main.js", c); r.StatusCode != 401 {
		t.Errorf("with another cookie: %d", r.StatusCode)
	}
	if a, b := NewToken(), NewToken(); a == b || len(a) < MinToken {
		t.Errorf("tokens %s and %s", a, b)
	}
}

// A server ends gracefully.
func TestServe(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- Serve(ctx, l, handler(t, Options{})) }()
	r, err := http.Get("http://" + l.Addr().String() + "/")
	if err != nil || r.StatusCode != 200 {
		t.Fatal(r, err)
	}
	r.Body.Close()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", l.Addr().String()); err == nil {
		t.Error("still there")
	}
}
