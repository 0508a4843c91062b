package btdt

import "context"

// ScrubFile is [Scrubber.ScrubFile] without any decision of the author.
func ScrubFile(data []byte) (Result, error) {
	return (&Scrubber{}).ScrubFile(context.Background(), data)
}

// ScrubFile decodes a playbook file and scrubs it, as [Decode] reads it: a draft
// can be cleaned before its form is right. A list that the file gives as one text
// keeps its plain path.
func (s *Scrubber) ScrubFile(ctx context.Context, data []byte) (Result, error) {
	r, err := readAll(data)
	if err != nil {
		return Result{}, err
	}
	if err := join(r.found); err != nil {
		return Result{}, err
	}
	done, err := s.Scrub(ctx, r.book)
	if err != nil {
		return Result{}, err
	}
	for _, l := range listFields {
		if at, ok := r.at[l.name]; ok && data[at] == '"' {
			renamePath(done.Findings, itemPath(l.name, 0), l.name)
			renamePath(done.Kept, itemPath(l.name, 0), l.name)
		}
	}
	return done, nil
}

func renamePath(found []Finding, from, to string) {
	for i := range found {
		if found[i].Path == from {
			found[i].Path = to
		}
	}
}
