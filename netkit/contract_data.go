package netkit

import (
	"bytes"
	"encoding/json"
	"errors"
)

// JSON is a JSON object as compact text; "" means that there is no object.
type JSON string

// MarshalJSON returns the object, null for none.
func (j JSON) MarshalJSON() ([]byte, error) {
	if j == "" {
		return []byte("null"), nil
	}
	return []byte(j), nil
}

// UnmarshalJSON takes an object, or null for none.
func (j *JSON) UnmarshalJSON(b []byte) error {
	if b = bytes.TrimSpace(b); string(b) == "null" {
		*j = ""
		return nil
	}
	if len(b) == 0 || b[0] != '{' {
		return errors.New("netkit: must be an object")
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, b); err != nil {
		return errors.New("netkit: is not JSON")
	}
	*j = JSON(compact.String())
	return nil
}

// UnmarshalText is UnmarshalJSON for a flag or a form; an empty text means no object.
func (j *JSON) UnmarshalText(b []byte) error {
	if len(bytes.TrimSpace(b)) == 0 {
		*j = ""
		return nil
	}
	return j.UnmarshalJSON(b)
}

// String returns the text.
func (j JSON) String() string { return string(j) }
