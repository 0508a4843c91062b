package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// expansions is how many lines are made of one template.
const expansions = 30

// templates expands the sentences with variables into labelled lines.
func (p *pools) templates(dir string) ([]line, error) {
	data, err := os.ReadFile(filepath.Join(dir, "templates.txt"))
	if err != nil {
		return nil, err
	}
	var all []line
	for row := range strings.Lines(string(data)) {
		if row = strings.TrimSpace(row); row == "" || row[0] == '#' {
			continue
		}
		for range expansions {
			l, err := parseLine(p.fill(strings.ReplaceAll(row, `\n`, "\n")))
			if err != nil {
				return nil, fmt.Errorf("template %q: %w", row, err)
			}
			all = append(all, l)
		}
	}
	return all, nil
}

// fill puts a value in place of every variable; now and then all in small
// letters.
func (p *pools) fill(row string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(row, '$')
		if i < 0 || i+1 >= len(row) {
			b.WriteString(row)
			break
		}
		b.WriteString(row[:i])
		b.WriteString(p.value(row[i+1]))
		row = row[i+2:]
	}
	return b.String()
}

func (p *pools) value(variable byte) string {
	switch variable {
	case 'N':
		return p.fullName()
	case 'G':
		return p.styled(p.pick(p.given))
	case 'S':
		return p.styled(p.lastName())
	case 'W':
		return p.wordNames[p.random.IntN(len(p.wordNames))]
	case 'O':
		return p.organisation()
	case 'U':
		return p.brand()
	case 'B':
		return p.firms[p.random.IntN(len(p.firms))]
	case 'C':
		return p.city[p.random.IntN(len(p.city))]
	case 'K':
		return countries[p.random.IntN(len(countries))]
	case 'A':
		return p.address(", ")
	case 'L':
		return p.address("\n")
	}
	return p.foreignAddress(variable)
}

func (p *pools) pick(list []string) string {
	if p.random.IntN(100) < invented {
		return p.invent(list)
	}
	return list[p.random.IntN(len(list))]
}

// styled writes a name in small letters or capitals once in a while.
func (p *pools) styled(name string) string {
	switch p.random.IntN(24) {
	case 0:
		return strings.ToLower(name)
	case 1:
		return strings.ToUpper(name)
	}
	return name
}

var particles = []string{"van", "van der", "de", "de la", "von", "da", "dos", "di", "el", "al", "ten", "bin", "del"}

func (p *pools) lastName() string {
	s := p.pick(p.surname)
	switch p.random.IntN(20) {
	case 0:
		return s + "-" + p.pick(p.surname)
	case 1:
		return particles[p.random.IntN(len(particles))] + " " + s
	case 2:
		return "O'" + s
	}
	return s
}

func (p *pools) fullName() string {
	g, s := p.pick(p.given), p.lastName()
	initial := string(rune('A' + p.random.IntN(26)))
	name := g + " " + s
	switch p.random.IntN(14) {
	case 0:
		name = g + " " + initial + " " + s
	case 1:
		name = g + " " + initial + ". " + s
	case 2:
		name = g + " " + p.pick(p.given) + " " + s
	case 3:
		name = g + " " + s + " " + p.pick(p.surname)
	case 4:
		name = initial + ". " + s
	case 5:
		name = g + "-" + p.pick(p.given) + " " + s
	}
	return p.styled(name)
}

var orgTails = []string{"Inc", "LLC", "Ltd", "Group", "Corporation", "Insurance", "Bank", "Energy", "Hospital", "& Sons", "Partners", "Services", "GmbH", "AG", "Holdings", "Clinic", "University", "Water", "Motors", "Properties", "plc", "Telecom", "Airlines", "Council", "Foundation", ""}

func (p *pools) organisation() string {
	head := p.pick(p.surname)
	switch p.random.IntN(5) {
	case 0:
		head += " " + p.pick(p.surname)
	case 1:
		head = p.city[p.random.IntN(len(p.city))]
	case 2:
		head = p.invent(p.surname) + p.invent(p.given)[:2]
	}
	return strings.ToValidUTF8(strings.TrimSpace(head+" "+orgTails[p.random.IntN(len(orgTails))]), "")
}

// brand makes up the name of a firm: one word, a compound, or an abbreviation.
func (p *pools) brand() string {
	pieces := []string{"net", "ware", "bank", "tel", "san", "vita", "cred", "pay", "jet", "air", "med", "ex", "ia", "io", "ix", "ora", "eo", "soft", "flow", "point", "way", "one", "go", "plus", "fin", "sure", "home", "energ", "com", "post", "line", "star", "hub", "fit", "care", "logic", "zen", "up", "lia", "ent", "is", "us", "va", "on"}
	head := []rune(p.invent(p.surname))
	head = head[:min(len(head), 3+p.random.IntN(3))]
	word := string(head) + pieces[p.random.IntN(len(pieces))]
	switch p.random.IntN(8) {
	case 0:
		return strings.ToUpper(string(head[:min(len(head), 2+p.random.IntN(3))]))
	case 1:
		r := []rune(pieces[p.random.IntN(len(pieces))])
		return string(head) + strings.ToUpper(string(r[:1])) + string(r[1:])
	case 2:
		return word + " " + orgTails[p.random.IntN(len(orgTails)-1)]
	case 3:
		return p.pick(p.surname)
	}
	return word
}

var (
	countries  = []string{"Germany", "France", "Poland", "Brazil", "Canada", "India", "Mexico", "Norway", "Kenya", "Japan", "Uruguay", "Tunisia", "Denmark", "Hungary", "Iceland", "Cyprus", "Slovenia", "Ohio", "Texas", "New Zealand", "South Africa", "the Netherlands", "Finland", "Portugal", "Scotland", "Croatia"}
	streetEnds = []string{"Street", "St", "Ave", "Avenue", "Road", "Rd", "Lane", "Drive", "Dr", "Court", "Way", "Blvd", "Place", "Terrace", "Crescent", "Close", "Gardens", "Parkway", "Hill", "Row", "Square", "Grove"}
	glued      = []string{"straße", "gasse", "weg", "vej", "gatan", "katu", "tie", "gade", "veien", "straat", "laan", "plein", "utca", "allee"}
	states     = []string{"OH", "TX", "CA", "NY", "WA", "IL", "ON", "QC", "NSW", "VIC", "FL", "GA"}
)

// street is a street with its number, on either side.
func (p *pools) street() string {
	n := strconv.Itoa(1 + p.random.IntN([]int{30, 200, 3000, 99999}[p.random.IntN(4)]))
	name := p.pick(p.surname)
	switch p.random.IntN(8) {
	case 0, 1:
		return name + glued[p.random.IntN(len(glued))] + " " + n
	case 2:
		return n + " " + name + glued[p.random.IntN(len(glued))] + " " + strconv.Itoa(1+p.random.IntN(99))
	case 3:
		return n + " Rue " + p.pick(p.given) + " " + name
	case 4:
		return "Via " + name + " " + n
	case 5:
		return name + " " + n
	}
	return n + " " + name + " " + streetEnds[p.random.IntN(len(streetEnds))]
}

// address is a street with a flat, a place and a code, parted by a separator.
func (p *pools) address(sep string) string {
	a := p.street()
	if p.random.IntN(3) == 0 {
		unit := []string{"Apt. ", "Suite ", "Flat ", "Unit ", "Apt "}[p.random.IntN(5)]
		a += []string{" ", sep}[p.random.IntN(2)] + unit + strconv.Itoa(1+p.random.IntN(999))
	}
	city := p.city[p.random.IntN(len(p.city))]
	if p.random.IntN(6) == 0 {
		city = strings.ToUpper(city)
	}
	code := fmt.Sprintf("%05d", p.random.IntN(100000))
	switch p.random.IntN(8) {
	case 0:
		return a
	case 1:
		return a + sep + city
	case 2:
		return a + sep + city + ", " + states[p.random.IntN(len(states))] + " " + code
	case 3:
		return a + sep + code + " " + city
	case 4:
		return a + sep + city + sep + countries[p.random.IntN(len(countries))] + " " + code
	case 5:
		return a + sep + city + sep + states[p.random.IntN(len(states))] + sep + code
	case 6:
		return a + sep + city + " " + code
	}
	return a + sep + city + sep + countries[p.random.IntN(len(countries))]
}

// foreignAddress writes an address as one of the languages does.
func (p *pools) foreignAddress(variable byte) string {
	name, n := p.pick(p.surname), strconv.Itoa(1+p.random.IntN(180))
	city, code := p.city[p.random.IntN(len(p.city))], fmt.Sprintf("%05d", 1000+p.random.IntN(98000))
	switch variable {
	case 'D':
		return name + []string{"straße ", "weg ", "gasse ", "platz ", "str. "}[p.random.IntN(5)] + n + ", " + code + " " + city
	case 'F':
		return n + ", rue " + p.pick(p.given) + " " + name + ", " + code + " " + city
	case 'E':
		return "calle " + name + ", " + n + ", 3.º B, " + code + " " + city
	case 'I':
		return "via " + p.pick(p.given) + " " + name + " " + n + ", " + code + " " + city
	case 'H':
		return name + []string{"straat ", "laan ", "plein ", "weg "}[p.random.IntN(4)] + n + ", " + code[:4] + " AB " + city
	}
	return "ul. " + name + " " + n + "/4, " + code[:2] + "-" + code[2:] + " " + city
}
