package btdt

import "strconv"

// numbering gives equal values equal numbers.
type numbering struct {
	next    map[string]int            // last number by type
	seen    map[string]map[uint64]int // by type and value, except names
	persons map[uint64]int            // by word of a name
}

// placeholder is what stands for a value: [NAME_2].
func (n *numbering) placeholder(kind string, values []uint64) string {
	return "[" + kind + "_" + strconv.Itoa(n.number(kind, values)) + "]"
}

// number finds the person or value, or counts a new one. A name is that of a
// person seen before when all of its words are, or all but one and one of them
// stood alone; "Maria Gonzalez" and "Tom Gonzalez" are two.
func (n *numbering) number(kind string, values []uint64) int {
	if kind == TypeName {
		return n.person(values)
	}
	if n.seen[kind] == nil {
		n.seen[kind] = map[uint64]int{}
	}
	for _, v := range values {
		if have, ok := n.seen[kind][v]; ok {
			return have
		}
	}
	n.next[kind]++
	for _, v := range values {
		n.seen[kind][v] = n.next[kind]
	}
	return n.next[kind]
}

func (n *numbering) person(words []uint64) int {
	who, same := 0, len(words) > 0
	for _, w := range words {
		id, ok := n.persons[w]
		if !ok || who != 0 && id != who {
			same = false
			continue
		}
		who = id
	}
	if same && who != 0 {
		return who
	}
	n.next[TypeName]++
	for _, w := range words {
		if _, taken := n.persons[w]; !taken {
			n.persons[w] = n.next[TypeName]
		}
	}
	return n.next[TypeName]
}
