package server

import (
	"context"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
)

// Some requests of netkit name what they are about, and so does the path that
// they are sent to. The path counts; the body may repeat it.

// byID, byToken and bySlug are the parameters of such paths.
type (
	byID struct {
		ID uint64 `path:"id" minimum:"1" doc:"id of the thing"`
	}
	// byToken allows 0, the token that came with the network.
	byToken struct {
		ID uint64 `path:"id" doc:"id of the thing"`
	}
	bySlug struct {
		Slug string `path:"slug" doc:"slug of the party" minLength:"1" maxLength:"64"`
	}
)

func (p *byID) key() reflect.Value    { return reflect.ValueOf(p.ID) }
func (p *byToken) key() reflect.Value { return reflect.ValueOf(p.ID) }
func (p *bySlug) key() reflect.Value  { return reflect.ValueOf(p.Slug) }

// keyed parameters have one key.
type keyedBy[P any] interface {
	*P
	key() reflect.Value
}

// commandAt makes a route of a method of Session whose request names in field
// what the path names as well.
func commandAt[P any, K keyedBy[P], B, O any](op *catalog.Operation, field string, do func(*session, context.Context, B) (O, error)) route {
	r := route{Operation: op}
	r.register = func(m *mux, r *route) {
		operation(m, r, bodyAt[B](m, field), func(ctx context.Context, v *request, p *P) (O, error) {
			var b B
			if err := aim(v.body, &b, field, K(p).key()); err != nil {
				var zero O
				return zero, err
			}
			return do(v.as(), ctx, b)
		})
	}
	return r
}

// aim decodes a body whose field the path holds already.
func aim(body []byte, b any, field string, key reflect.Value) error {
	v := reflect.ValueOf(b).Elem()
	p := planOf(v.Type())
	f := p.byName[field]
	if len(body) > 0 || p.required&^f.bit != 0 {
		if err := decodeBut(body, v, f.bit); err != nil {
			return err
		}
	}
	at := v.FieldByIndex(f.index)
	if !at.IsZero() && !at.Equal(key) {
		return wrong(field, code.PathDiffers, "is not what the path names", "leave it out")
	}
	at.Set(key)
	return nil
}

// namedByPath describes a field of a body that repeats the path.
const namedByPath = "what the path names; may be left out"

// bodyAt describes a body without asking for the field again.
func bodyAt[B any](m *mux, field string) *huma.RequestBody {
	in := body[B](m)
	schemas := m.api.OpenAPI().Components.Schemas
	s := schemas.SchemaFromRef(in.Content["application/json"].Schema.Ref)
	s.Required = slices.DeleteFunc(slices.Clone(s.Required), func(name string) bool { return name == field })
	s.Properties[field].Description = namedByPath
	s.PrecomputeMessages()
	in.Required = len(s.Required) > 0
	return in
}
