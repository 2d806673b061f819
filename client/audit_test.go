package client_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"aliquot/client"
	"aliquot/web"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

func TestFollowingReadsOnlyTheEndOfTheAuditLogAlsoIfNoEntryMatches(t *testing.T) {
	c := webtest.New(t)
	handler := web.NewHandler(web.Options{Manager: c, Audit: c.Audit})
	asked := make(chan url.Values)
	ctx, cancel := context.WithCancel(within(t))
	defer cancel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if query := r.URL.Query(); query.Get("operation") != "" {
			select {
			case asked <- query:
			case <-ctx.Done():
			}
		}
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	follower := connect(t, server.URL)
	if _, err := follower.SetPolicy(ctx, api.Policy{Name: "FCFS"}); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for e := range follower.FollowAudit(ctx, client.AuditFilter{Operations: []string{"nothing"}}, time.Millisecond) {
			t.Errorf("an entry matches: %+v", e)
		}
	}()
	for range 3 {
		from, err := time.Parse(time.RFC3339, (<-asked).Get("from"))
		if age := time.Since(from); err != nil || age > 4*time.Minute {
			t.Errorf("it asks for entries of the last %v: %v", age, err)
		}
	}
	cancel()
	<-ended
}
