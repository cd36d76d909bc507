package hunt

import (
	"fmt"
	"net/http"
	"sync"

	"github.com/VictoriaMetrics/metrics"
)

// Metrics shows a hunt to Prometheus: the numbers of its status, in the text form.
type Metrics struct {
	mu     sync.Mutex
	status Status
	shown  bool
}

// Show takes in where the hunt is.
func (m *Metrics) Show(s Status) {
	m.mu.Lock()
	m.status, m.shown = s, true
	m.mu.Unlock()
}

// ServeHTTP answers GET /metrics.
func (m *Metrics) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path != "/metrics":
		http.Error(w, "there is nothing here but /metrics", http.StatusNotFound)
		return
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "want GET", http.StatusMethodNotAllowed)
		return
	}
	m.mu.Lock()
	s, shown := m.status, m.shown
	m.mu.Unlock()
	if !shown {
		http.Error(w, "the hunt is just beginning", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	gauge := func(name string, value float64, labels ...string) {
		metrics.WriteGaugeFloat64(w, labelled(name, labels), value)
	}
	counter := func(name string, value int64, labels ...string) {
		metrics.WriteCounterUint64(w, labelled(name, labels), uint64(max(0, value)))
	}
	gauge("lastmile_hunt_best_score", float64(s.Best))
	gauge("lastmile_hunt_boards", float64(s.Boards))
	gauge("lastmile_hunt_trouble", flag(s.Trouble != ""))
	gauge("lastmile_hunt_results_per_second", s.Results)
	counter("lastmile_hunt_results_refused_total", s.Refused)
	counter("lastmile_hunt_results_repeated_total", s.Twice)
	for _, c := range s.Campaigns {
		number := fmt.Sprint(c.Number)
		gauge("lastmile_hunt_jobs", float64(c.Jobs.Open), "campaign", number, "kind", c.Kind, "state", "open")
		gauge("lastmile_hunt_jobs", float64(c.Jobs.Queued), "campaign", number, "kind", c.Kind, "state", "queued")
		gauge("lastmile_hunt_jobs", float64(c.Jobs.Failed), "campaign", number, "kind", c.Kind, "state", "failed")
		counter("lastmile_hunt_jobs_done_total", c.Jobs.Done, "campaign", number, "kind", c.Kind)
		gauge("lastmile_hunt_campaign_best_score", float64(c.Best), "campaign", number, "kind", c.Kind)
		if e := c.Exhausted; e != nil {
			counter("lastmile_hunt_nodes_total", e.Nodes, "campaign", number)
			counter("lastmile_hunt_completions_total", e.Completions, "campaign", number)
		}
		for _, a := range c.Arms {
			gauge("lastmile_hunt_way_share", a.Share, "campaign", number, "way", a.Name)
			counter("lastmile_hunt_way_jobs_total", a.Uses, "campaign", number, "way", a.Name)
		}
	}
	for _, x := range s.Workers {
		gauge("lastmile_hunt_worker_slots", float64(x.Slots), "worker", x.Name)
		gauge("lastmile_hunt_worker_busy", float64(x.Busy), "worker", x.Name)
		gauge("lastmile_hunt_worker_nodes_per_second", x.Nodes, "worker", x.Name)
		gauge("lastmile_hunt_worker_iterations_per_second", x.Iterations, "worker", x.Name)
		gauge("lastmile_hunt_worker_silent_seconds", x.Seen, "worker", x.Name)
		counter("lastmile_hunt_worker_jobs_total", x.Done, "worker", x.Name)
	}
	metrics.WriteProcessMetrics(w)
}

// labelled is the name of a metric with labels, which are pairs.
func labelled(name string, labels []string) string {
	if len(labels) == 0 {
		return name
	}
	text := name + "{"
	for i := 0; i < len(labels); i += 2 {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprintf("%s=%q", labels[i], labels[i+1])
	}
	return text + "}"
}

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
