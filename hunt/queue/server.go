package queue

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Users of an embedded server.
const (
	Owner  = "owner"  // of the hunt: the coordinator
	Worker = "worker" // may take jobs and return results
)

// ServerOptions say how a server of our own is run.
type ServerOptions struct {
	Dir    string // where it keeps what is in the queues
	Hunt   string // whose workers it lets in
	Listen string // HOST:PORT; "" for this process alone

	OwnerToken  string // the password of each user; "" for an owner or worker who needs none
	WorkerToken string

	Cert, Key string // files for TLS, both or neither
	CA        string // file of the authority that clients' certificates must be of, "" for none

	// Of a cluster. Its servers share the tokens.
	Name      string   // of this server in it
	Peers     string   // HOST:PORT where it listens to the others, "" for no cluster
	Advertise string   // HOST:PORT where they reach it, when that is not Peers
	Routes    []string // HOST:PORT of the others

	// Of a tree of servers: leaves gather the workers of a site and pass on what they
	// say over one connection. A leaf keeps nothing itself.
	Leaves string // HOST:PORT where it listens to leaves, "" for none
	Hub    string // HOST:PORT of the server that this one is a leaf of, "" for none

	Store  int64 // bytes that the queues may take on disk; 0 for three quarters of what is free
	Log    func(format string, v ...any)
	Always bool // force each message to disk before it counts as there, against power loss
}

// Server is an embedded server at work.
type Server struct {
	server *server.Server
	hunt   string
	heard  *lines
}

// Serve starts a server and waits until it is ready.
func Serve(o ServerOptions) (*Server, error) {
	c := &server.Options{
		JetStreamDomain: Domain, // by which workers behind leaves reach it
		ServerName:      o.Name, DontListen: o.Listen == "", NoSigs: true, JetStream: true, StoreDir: o.Dir, JetStreamMaxStore: o.Store,
		NoLog: o.Log == nil, MaxPayload: 8 << 20, SyncAlways: o.Always, SyncInterval: 2 * time.Second, DisableJetStreamBanner: true,
	}
	var err error
	if o.Listen != "" {
		if c.Host, c.Port, err = hostPort(o.Listen); err != nil {
			return nil, err
		}
	}
	if o.OwnerToken != "" {
		n := names{o.Hunt}
		c.Users = []*server.User{{Username: Owner, Password: o.OwnerToken}, {
			Username: Worker, Password: o.WorkerToken, Permissions: &server.Permissions{
				Publish: &server.SubjectPermission{Allow: n.may()}, Subscribe: &server.SubjectPermission{Allow: n.hears()},
			},
		}}
	}
	if o.Cert != "" {
		if c.TLSConfig, err = serverTLS(o.Cert, o.Key, o.CA); err != nil {
			return nil, err
		}
		c.TLS, c.TLSVerify, c.TLSTimeout, c.AllowNonTLS = true, o.CA != "", 5, false
	}
	if o.Peers != "" {
		c.Cluster.Name = "lastmile-" + o.Hunt
		if c.Cluster.Host, c.Cluster.Port, err = hostPort(o.Peers); err != nil {
			return nil, err
		}
		if c.Cluster.Advertise = o.Advertise; o.Advertise != "" {
			if _, _, err := hostPort(o.Advertise); err != nil {
				return nil, err
			}
		}
		if o.OwnerToken != "" {
			c.Cluster.Username, c.Cluster.Password, c.Cluster.AuthTimeout = Owner, o.OwnerToken, 5
		}
		if o.Cert != "" {
			c.Cluster.TLSConfig, c.Cluster.TLSTimeout = c.TLSConfig.Clone(), 5
			if c.Cluster.TLSConfig.RootCAs, err = authority(o.CA); err != nil {
				return nil, err
			}
		}
		for _, r := range o.Routes {
			if _, _, err := hostPort(r); err != nil {
				return nil, err
			}
			u := &url.URL{Scheme: "nats-route", Host: r}
			if o.OwnerToken != "" {
				u.User = url.UserPassword(Owner, o.OwnerToken)
			}
			c.Routes = append(c.Routes, u)
		}
	}
	if err := leaf(c, o); err != nil {
		return nil, err
	}
	s, err := server.NewServer(c)
	if err != nil {
		return nil, err
	}
	heard := newLines(o.Log)
	s.SetLoggerV2(heard, false, false, false)
	go s.Start()
	if s.ReadyForConnections(20 * time.Second) {
		return &Server{s, o.Hunt, heard}, nil
	}
	s.Shutdown()
	if said := heard.worst(); said != "" {
		return nil, errors.New(said)
	}
	return nil, fmt.Errorf("the queue at %s is not ready after 20 s", o.Listen)
}

// leaf adds what makes a server a leaf, or lets it have leaves. They are workers to
// it, all that comes over one: a leaf can do no more than they.
func leaf(c *server.Options, o ServerOptions) (err error) {
	if o.Leaves != "" {
		if c.LeafNode.Host, c.LeafNode.Port, err = hostPort(o.Leaves); err != nil {
			return err
		}
		c.LeafNode.AuthTimeout = 5
		if o.Cert != "" {
			c.LeafNode.TLSConfig, c.LeafNode.TLSTimeout = c.TLSConfig.Clone(), 5
		}
	}
	if o.Hub == "" {
		return nil
	}
	if _, _, err := hostPort(o.Hub); err != nil {
		return err
	}
	hub := &url.URL{Scheme: "nats-leaf", Host: o.Hub}
	if o.WorkerToken != "" {
		hub.User = url.UserPassword(Worker, o.WorkerToken)
	}
	c.JetStream, c.JetStreamDomain = false, ""
	c.LeafNode.ReconnectInterval = time.Second
	remote := &server.RemoteLeafOpts{URLs: []*url.URL{hub}, LocalAccount: server.DEFAULT_GLOBAL_ACCOUNT, FirstInfoTimeout: 5 * time.Second}
	if o.CA != "" {
		pool, err := authority(o.CA)
		if err != nil {
			return err
		}
		remote.TLS, remote.TLSTimeout = true, 5
		remote.TLSConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
		if c.TLSConfig != nil {
			remote.TLSConfig.Certificates = c.TLSConfig.Certificates
		}
	}
	c.LeafNode.Remotes = []*server.RemoteLeafOpts{remote}
	return nil
}

func hostPort(address string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(address)
	if err == nil {
		port, err = strconv.Atoi(text)
	}
	if err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("%s: want HOST:PORT, such as 127.0.0.1:4222", address)
	}
	if port == 0 {
		port = -1 // what the server calls any free port
	}
	return host, port, nil
}

func serverTLS(cert, key, ca string) (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("certificate %s with key %s: %w", cert, key, err)
	}
	c := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	if ca != "" {
		if c.ClientCAs, err = authority(ca); err != nil {
			return nil, err
		}
		c.ClientAuth = tls.RequireAndVerifyClientCert
	}
	return c, nil
}

// authority reads the certificates of an authority; nil for those that the machine
// trusts.
func authority(file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate, want one in PEM", file)
	}
	return pool, nil
}

// URL is where the server listens for clients.
func (s *Server) URL() string { return s.server.ClientURL() }

// Peers is where it listens for the others of its cluster.
func (s *Server) Peers() string {
	if at := s.server.ClusterAddr(); at != nil {
		return at.String()
	}
	return ""
}

// Reached is the names of the other servers of the cluster that it is connected to.
func (s *Server) Reached() []string {
	reached := []string{}
	routes, err := s.server.Routez(nil)
	if err != nil {
		return reached
	}
	for _, r := range routes.Routes {
		if !slices.Contains(reached, r.RemoteName) {
			reached = append(reached, r.RemoteName)
		}
	}
	slices.Sort(reached)
	return reached
}

// Lacks tells what keeps the server from doing its part in the cluster: too few
// others are there, or it has not caught up with them. It is empty when all is well.
func (s *Server) Lacks() string {
	switch h := s.server.Healthz(&server.HealthzOptions{}); {
	case h.Error == "":
		return ""
	case strings.Contains(h.Error, "meta leader"):
		return "too few servers of the cluster are there, want more than half of them"
	default:
		return "it catches up with the others: " + h.Error
	}
}

// Taken hears of another server that has our name, when ours is the younger one.
func (s *Server) Taken() <-chan string { return s.heard.taken }

// Shutdown ends the server once what it was told is on disk.
func (s *Server) Shutdown() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
}
