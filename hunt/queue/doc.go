// Package queue is the road between the machines of a hunt: NATS with JetStream,
// embedded in this program or a cluster of its own.
//
// A hunt has two work queues, which survive restarts: jobs go out in one and
// results come back in the other. A job is leased to a worker and comes back when
// the worker is not heard of; it is in the queue once, whoever puts it there how
// often. States of jobs at work are kept in an object store, piece sets and who
// coordinates in a key-value store. Everything is bounded: who offers more than
// there is room for is refused, and tries again later.
package queue

import (
	"fmt"
	"regexp"
)

// names are how the parts of a hunt are called.
type names struct{ hunt string }

var fit = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,30}$`)

// CheckName tells whether a hunt can be called so.
func CheckName(hunt string) error {
	if !fit.MatchString(hunt) {
		return fmt.Errorf("hunt %q, want a name of 1 to 31 small letters, digits and -", hunt)
	}
	return nil
}

func (n names) jobs() string    { return "lastmile-" + n.hunt + "-jobs" }
func (n names) results() string { return "lastmile-" + n.hunt + "-results" }
func (n names) shelf() string   { return "lastmile-" + n.hunt }            // key-value bucket
func (n names) saved() string   { return "lastmile-" + n.hunt + "-saved" } // object bucket

func (n names) subject(parts ...string) string {
	s := "lastmile." + n.hunt
	for _, p := range parts {
		s += "." + p
	}
	return s
}

// The consumers of the two queues.
const (
	workers     = "workers"
	coordinator = "coordinator"
)

// Domain is what our servers call their JetStream.
const Domain = "lastmile"

// may is what a worker may publish: it takes jobs, says that it is at work on
// them, returns results and keeps states. It can neither make jobs, nor read
// results, nor change what the queues are.
func (n names) may() []string {
	kv, saved := "KV_"+n.shelf(), "OBJ_"+n.saved()
	all := []string{
		n.subject("result", "*"), n.subject("hello"), n.subject("beat", "*"),
		"$JS.ACK." + n.jobs() + "." + workers + ".>", "$JS.ACK." + Domain + ".*." + n.jobs() + "." + workers + ".>",
		"$O." + n.saved() + ".>", "$JS." + Domain + ".API.$O." + n.saved() + ".>", "$JS.FC." + saved + ".>", "$JS.FC." + Domain + ".*." + saved + ".>",
	}
	for _, call := range []string{
		"CONSUMER.MSG.NEXT." + n.jobs() + "." + workers, "CONSUMER.INFO." + n.jobs() + "." + workers,
		"STREAM.INFO." + kv, "DIRECT.GET." + kv + ".>", "STREAM.MSG.GET." + kv,
		"STREAM.INFO." + saved, "DIRECT.GET." + saved + ".>", "STREAM.MSG.GET." + saved, "STREAM.PURGE." + saved,
		"CONSUMER.CREATE." + saved + ".>", "CONSUMER.DELETE." + saved + ".>",
	} {
		all = append(all, "$JS.API."+call, "$JS."+Domain+".API."+call)
	}
	return all
}

// hears is what a worker may subscribe to.
func (n names) hears() []string { return []string{"_INBOX.>", n.subject("control")} }
