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
	case 'Y':
		return p.office()
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
	case 'a':
		return strconv.Itoa(1 + p.random.IntN(99))
	case 'j':
		return strconv.Itoa(1925 + p.random.IntN(95))
	case 'm', 't', 'l', 'q', 'r', 'h', 'p':
		return p.figure(variable)
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

var particles = []string{"van", "van der", "de", "de la", "von", "da", "dos", "di", "el", "al", "ten", "bin", "del", "v.", "v.d.", "v. d.", "zu", "ter"}

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
	switch p.random.IntN(9) {
	case 5, 6, 7, 8:
		return p.institution()
	case 0:
		head += " " + p.pick(p.surname)
	case 1:
		head = p.city[p.random.IntN(len(p.city))]
	case 2:
		head = p.invent(p.surname) + p.invent(p.given)[:2]
	}
	return strings.ToValidUTF8(strings.TrimSpace(head+" "+orgTails[p.random.IntN(len(orgTails))]), "")
}

// links stand between what an institution is and where it is.
var links = []string{" ", " ", " de ", " di ", " da ", " van ", " of ", " w ", " in ", " d'", " do "}

// adjectives tell how far an institution reaches.
var adjectives = strings.Fields("regionale provinciale centrale comunale nazionale nacional municipal central regional provincial départementale régionale publique nationale estadual federal pública público regionaal centraal gemeentelijk miejski wojewódzki powiatowy central public national general")

// office is what an institution is, without where.
func (p *pools) office() string {
	kind := []rune(p.kinds[p.random.IntN(len(p.kinds))])
	return strings.ToUpper(string(kind[:1])) + string(kind[1:])
}

// institution makes up an office, a court or a works: what it is and where.
func (p *pools) institution() string {
	head := p.office()
	city := p.city[p.random.IntN(len(p.city))]
	if p.random.IntN(4) == 0 {
		return city + " " + head
	}
	switch p.random.IntN(4) {
	case 0:
		head += " " + p.kinds[p.random.IntN(len(p.kinds))]
	case 1:
		head += " " + adjectives[p.random.IntN(len(adjectives))]
	}
	return head + links[p.random.IntN(len(links))] + city
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

// addressForms are addresses as the languages write them: $G a given name, $S a
// surname, $C a place, 9 a digit, 1 a digit from one on, A a capital.
var addressForms = map[byte][]string{
	'D': {"$Sstraße 19, 19999 $C", "$Sweg 9, 19999 $C", "$Sgasse 19/9, 1999 $C", "$Splatz 9a, 19999 $C", "Am $Sberg 19, D-19999 $C", "$S-Str. 199, 19999 $C", "An der $S 9, 19999 $C", "Alte $S 9", "$Sallee 199"},
	'F': {"19, rue $G $S, 19999 $C", "9 rue des $S, 19999 $C", "19 bis avenue $S, 19999 $C", "9 quai $S, 19999 $C", "199 boulevard $G-$S, bât. A, 19999 $C", "9 place $S", "19 chemin du $S, 19999 $C", "résidence $S, appt 19, 19999 $C"},
	'E': {"calle $S, 19, 9.º A, 19999 $C", "calle $S 99, pta. 9, 19999 $C", "avenida de $S 199, 9º izq., 19999 $C", "plaza $S 9, 19999 $C", "carrer de $S 19, 9r 1a, 19999 $C", "paseo $S n.º 19", "av. $S 1999, depto. 19, $C"},
	'I': {"via $G $S 19, 19999 $C", "via dei $S 19r, 19999 $C", "viale $S 199, scala A, 19999 $C", "piazza $S 9, 19999 $C (AA)", "corso $S 19/A, $C", "vicolo $S 9"},
	'H': {"$Sstraat 19, 1999 AA $C", "$Slaan 19-9, 1999 AA $C", "Oude $S 19bis, 1999 AA $C", "$Splein 9, 1999 $C", "Korte $S 19-II, 1999 AA $C", "$Sweg 199 A, $C", "$Skade 9, 1999 AA $C"},
	'P': {"ul. $S 19/9, 19-999 $C", "ul. $S 9 m. 19, 19-999 $C", "os. $S 9/19, 19-999 $C", "al. $S 199, 19-999 $C", "pl. $S 9", "ulicy $S 19, $C", "ul. Gen. $S 9 m. 9, 19-999 $C"},
	'R': {"rua $S, 199, 9.º Esq., 1999-199 $C", "Rua $S 199, apto 1999, $C, CEP 19999-199", "avenida $S 1999, $C", "travessa do $S 19, 9.º Dto., 1999-199 $C", "praceta $S 9", "Rua das $S, n.º 19, 1999-199 $C", "alameda $S 199, bloco A, $C"},
	'Q': {"Flat 9, 19 $S Road, $C A19 9AA", "19 $S Close, $C AA9 9AA", "PO Box 1999, $C, OH 19999", "199 $S Loop, $C, TX 19999", "1999 $S Bluff Dr, Unit 19, $C, CA 19999", "19/99 $S Parade, $C NSW 1999", "$S Cottage, 9 $S Lane, $C", "Unit 9, 199 $S Street, $C WA 1999", "19 $S Ave Apt 9A, $C, NY 19999", "9 $S Gardens, $C A9 9AA"},
}

// foreignAddress writes an address as one of the languages does.
func (p *pools) foreignAddress(variable byte) string {
	list := addressForms[variable]
	form := list[p.random.IntN(len(list))]
	form = p.digits(form, true)
	return strings.NewReplacer("$G", p.pick(p.given), "$S", p.pick(p.surname), "$C", p.city[p.random.IntN(len(p.city))]).Replace(form)
}
