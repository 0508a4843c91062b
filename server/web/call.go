package web

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
)

// newKey makes an idempotency key: a form that is sent twice acts once.
func newKey() string { return rand.Text() }

// call asks the interface for an operation as the visitor; params replace those
// of its path. in is sent as JSON unless it is nil; the answer is decoded into
// out unless that is nil.
func (p *Pages) call(v *request, op *catalog.Operation, in, out any, params ...string) error {
	return p.send(v, op.Method, op.At(params...), in, out)
}

// send sends a request to the interface with the token of the session, from the
// visitor's address.
func (p *Pages) send(v *request, method, target string, in, out any) error {
	body := []byte(nil)
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return fmt.Errorf("web: %w", err)
		}
	}
	r, err := http.NewRequestWithContext(v.r.Context(), method, target, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("web: %w", err)
	}
	r.RemoteAddr, r.Host = v.r.RemoteAddr, v.r.Host
	if in != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if v.session != nil {
		r.Header.Set("Authorization", "Bearer "+v.session.token)
	}
	if key := v.r.PostForm.Get("key"); key != "" && method != http.MethodGet {
		r.Header.Set("Idempotency-Key", key)
	}
	got := &answer{head: http.Header{}}
	p.cfg.API.ServeHTTP(got, r)
	return got.decode(out)
}

// answer is what the interface wrote.
type answer struct {
	head   http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header { return a.head }

func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(b)
}

// decode reads a receipt, or returns the problem as an error.
func (a *answer) decode(out any) error {
	if a.status >= 300 {
		r := new(refused)
		if err := json.Unmarshal(a.body.Bytes(), &r.Problem); err != nil || r.Status == 0 {
			r.Problem = netkit.NewProblem(a.status, code.Internal, "the network answered "+http.StatusText(a.status), "try again")
		}
		return r
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(a.body.Bytes(), out); err != nil {
		return fmt.Errorf("web: answer of the interface: %w", err)
	}
	return nil
}

// field returns what was typed, without the blanks around it.
func (v *request) field(name string) string { return strings.TrimSpace(v.r.PostForm.Get(name)) }

// credits reads an amount; a wrong one is refused by the name of its field.
func (v *request) credits(name string) (netkit.Credits, error) {
	text := v.field(name)
	if text == "" {
		return 0, nil
	}
	c, err := netkit.ParseCredits(text)
	if err != nil {
		return 0, &netkit.Refusal{Kind: netkit.ErrInvalid, Code: code.AmountWrong, Field: name, What: "is not an amount of credits", Next: "write a number with at most two decimals"}
	}
	return c, nil
}

// lines splits a field into its lines that hold something.
func (v *request) lines(name string) (all []string) {
	for line := range strings.Lines(v.r.PostForm.Get(name)) {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	return all
}

// object reads a JSON object, or returns "" for an empty field.
func (v *request) object(name string) (o netkit.JSON, err error) {
	if err := o.UnmarshalText([]byte(v.field(name))); err != nil {
		return "", &netkit.Refusal{Kind: netkit.ErrInvalid, Code: code.ValueWrong, Field: name, What: "is not a JSON object", Next: "write an object in braces, or leave it empty"}
	}
	return o, nil
}

// readTicks reads the criteria that a form ticks off, each as met, unmet or neither.
func (v *request) readTicks() (t netkit.Ticks) {
	for n := uint32(1); n <= netkit.MaxCriteria; n++ {
		switch v.field("criterion-" + strconv.FormatUint(uint64(n), 10)) {
		case "met":
			t.Meets = append(t.Meets, n)
		case "unmet":
			t.Unmet = append(t.Unmet, n)
		}
	}
	return t
}
