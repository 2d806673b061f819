package client

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"aliquot/web/api"
)

// rounds limits how often all managers are tried while none can be reached.
const rounds = 3

// call is one request, which may be sent several times.
type call struct {
	method, path string
	query        url.Values
	body         any                       // sent as JSON; nil: no body
	stream       func() (io.Reader, error) // sent as a tar archive instead
	key          string                    // idempotency key; generated for a call that changes something
	lastID       string                    // of an event stream
}

// ask sends the call and decodes the answer.
func ask[T any](ctx context.Context, c *Client, what call) (out T, err error) {
	response, err := c.send(ctx, what)
	if err != nil {
		return out, err
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&out); err != nil {
		return out, fmt.Errorf("read the answer to %s %s: %w", what.method, what.path, err)
	}
	return out, nil
}

// order sends a call whose answer is api.Accepted.
func order(ctx context.Context, c *Client, what call) (api.Accepted, error) {
	return ask[api.Accepted](ctx, c, what)
}

// send asks one manager after another until one gives a final answer: success, or a problem that does
// not pass.
func (c *Client) send(ctx context.Context, what call) (*http.Response, error) {
	if what.key == "" && what.method != http.MethodGet {
		what.key = rand.Text()
	}
	deadline := time.Now().Add(c.patience)
	for attempts := 1; ; attempts++ {
		response, err := c.round(ctx, what)
		var p *Problem
		var u *Unreachable
		switch {
		case err == nil:
			return response, nil
		case errors.As(err, &p) && (!p.passing() || time.Now().After(deadline)):
			return nil, err
		case errors.As(err, &u) && attempts >= rounds:
			return nil, err
		case p == nil && u == nil:
			return nil, err
		}
		if err := sleep(ctx, pause(attempts)); err != nil {
			return nil, err
		}
	}
}

// round asks each manager once and returns the first answer that is final.
func (c *Client) round(ctx context.Context, what call) (*http.Response, error) {
	var problem *Problem
	var causes []error
	for _, manager := range c.order() {
		response, err := c.try(ctx, manager, what)
		if err != nil {
			if ctx.Err() != nil {
				return nil, fmt.Errorf("%s %s: %w", what.method, what.path, ctx.Err())
			}
			causes = append(causes, plain(manager, err))
			continue
		}
		if response.StatusCode < 300 {
			c.answered.Store(true)
			c.prefer(manager, response.Header)
			return response, nil
		}
		problem = problemIn(response)
		response.Body.Close()
		if !problem.passing() {
			return nil, problem
		}
	}
	if problem != nil {
		return nil, problem
	}
	return nil, &Unreachable{causes}
}

// plain removes from an error the parts that the caller prints anyway.
func plain(manager string, err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return fmt.Errorf("%s: %w", manager, err)
}

// try sends the call to one manager.
func (c *Client) try(ctx context.Context, manager string, what call) (*http.Response, error) {
	request, err := c.request(ctx, manager, what)
	if err != nil {
		return nil, err
	}
	return c.http.Do(request)
}

func (c *Client) request(ctx context.Context, manager string, what call) (*http.Request, error) {
	body, contentType, err := what.content()
	if err != nil {
		return nil, err
	}
	address := httpBase(manager) + what.path
	if len(what.query) > 0 {
		address += "?" + what.query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, what.method, address, body)
	if err != nil {
		return nil, fmt.Errorf("make the request %s %s: %w", what.method, what.path, err)
	}
	for name, value := range map[string]string{
		"Content-Type": contentType, "Idempotency-Key": what.key, "Last-Event-ID": what.lastID, "User-Agent": "aliquot",
	} {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	return request, nil
}

func (w call) content() (io.Reader, string, error) {
	if w.stream != nil {
		r, err := w.stream()
		return r, "application/x-tar", err
	}
	if w.body == nil {
		return nil, "", nil
	}
	text, err := json.Marshal(w.body)
	if err != nil {
		return nil, "", fmt.Errorf("encode the request %s %s: %w", w.method, w.path, err)
	}
	return bytes.NewReader(text), "application/json", nil
}

// sleep waits unless the context ends.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
