package btdt

import "strconv"

// numbering gives equal values equal numbers.
type numbering struct {
	next    map[string]int    // last number by type
	seen    map[uint64]string // placeholder by value, except names
	persons map[uint64]int    // by word of a name
}

// placeholder is what stands for a value: [NAME_2]. Equal values share one, whatever
// type they were taken for. A name is that of a person seen before when all of its
// words are; "Maria Gonzalez" and "Tom Gonzalez" are two.
func (n *numbering) placeholder(kind string, values []uint64) string {
	if kind == TypeName {
		return "[" + TypeName + "_" + strconv.Itoa(n.person(values)) + "]"
	}
	for _, v := range values {
		if have, ok := n.seen[v]; ok {
			return have
		}
	}
	n.next[kind]++
	p := "[" + kind + "_" + strconv.Itoa(n.next[kind]) + "]"
	for _, v := range values {
		n.seen[v] = p
	}
	return p
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
