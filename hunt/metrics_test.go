package hunt_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"lastmile/hunt"
)

func TestMetrics(t *testing.T) {
	m := &hunt.Metrics{}
	get := func(method, path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		m.ServeHTTP(w, httptest.NewRequest(method, path, nil))
		return w
	}
	if w := get("GET", "/metrics"); w.Code != http.StatusServiceUnavailable {
		t.Errorf("before the first status: %d", w.Code)
	}
	m.Show(hunt.Status{
		Best: 463, Boards: 7, Refused: 2, Trouble: "the disk is full",
		Campaigns: []hunt.Campaign{{Number: 1, Kind: "boards", Best: 463, Jobs: hunt.Jobs{Open: 1, Queued: 4, Done: 9}, Arms: []hunt.Arm{{Name: "beam comb 64", Share: 0.5, Uses: 3}}},
			{Number: 2, Kind: "exhaustion", Exhausted: &hunt.Exhausted{ByBreaks: []int64{1}}}},
		Workers: []hunt.Worker{{Name: "a\"b\n", Slots: 2, Busy: 1, Nodes: 1e6, Done: 5}},
	})
	text := get("GET", "/metrics").Body.String()
	for _, want := range []string{
		"lastmile_hunt_best_score 463\n", "lastmile_hunt_boards 7\n", "lastmile_hunt_trouble 1\n", "lastmile_hunt_results_refused_total 2\n",
		`lastmile_hunt_jobs{campaign="1",kind="boards",state="queued"} 4` + "\n",
		`lastmile_hunt_jobs_done_total{campaign="1",kind="boards"} 9` + "\n",
		`lastmile_hunt_way_share{campaign="1",way="beam comb 64"} 0.5` + "\n",
		`lastmile_hunt_nodes_total{campaign="2"} 0` + "\n",
		`lastmile_hunt_worker_nodes_per_second{worker="a\"b\n"} 1e+06` + "\n",
		"process_resident_memory_bytes ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if w := get("POST", "/metrics"); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", w.Code)
	}
	if w := get("GET", "/"); w.Code != http.StatusNotFound {
		t.Errorf("/: %d", w.Code)
	}
}
