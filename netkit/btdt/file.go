package btdt

// Result is a scrubbed playbook and what was found in it, with paths and offsets
// as in the file that it was read from.
type Result struct {
	Playbook Playbook  `json:"playbook"`
	Findings []Finding `json:"findings"` // never nil
}

// ScrubFile decodes a playbook file and scrubs it, as [Decode] reads it: a draft
// can be cleaned before its form is right. A list that the file gives as one text
// keeps its plain path.
func ScrubFile(data []byte) (Result, error) {
	r, err := readAll(data)
	if err != nil {
		return Result{}, err
	}
	if err := join(r.found); err != nil {
		return Result{}, err
	}
	clean, found := Scrub(r.book)
	for i, f := range found {
		for _, l := range listFields {
			if at, ok := r.at[l.name]; ok && data[at] == '"' && f.Path == itemPath(l.name, 0) {
				found[i].Path = l.name
			}
		}
	}
	if found == nil {
		found = []Finding{}
	}
	return Result{clean, found}, nil
}
