package detect

import (
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// hyphened is what a word of two parts is by the part that is one of medicine:
// Libre-Sensor, black-outs. A unit or a charity is none.
func (x *Sheet) hyphened(i int) lex.Flags {
	head, last, ok := cutLast(x.word(i), '-')
	if ok && strings.EqualFold(head, "ex") {
		return lex.Of(lex.Key(last)) & lex.Medicine
	}
	if !ok || x.tok[i].Kind != lex.Letters || len(head) < 4 && !isCaps(head) && !oneOf(last, "virus") || len(last) < 3 || hintKeys()[lex.Key(last)]&organ != 0 {
		return 0
	}
	if whole := lex.Of(lex.Key(head+last)) | lex.Of(lex.Join(lex.Key(head), lex.Key(last))); whole&(lex.Ill|lex.Care) != 0 {
		return whole & lex.Medicine
	}
	if f := lex.Of(lex.Key(last)); f&lex.Ill != 0 || oneOf(last, "syndrom syndroom syndrome virus") {
		return f&lex.Medicine | lex.Ill
	}
	if f := lex.Of(lex.Key(head)); f&(lex.Ill|lex.Care) != 0 && f&(lex.Word|lex.Foreign) == 0 {
		return f & lex.Medicine
	}
	return 0
}

func isCaps(w string) bool { return w == strings.ToUpper(w) && len(w) > 1 }

// sorts are words for an illness that an adjective makes a certain one, in the
// languages that put it behind.
const sorts = "syndrome trouble troubles maladie maladies síndrome trastorno trastornos enfermedad doença doenças transtorno perturbação sindrome malattia disturbo disturbi zespół choroba choroby chorobę zaburzenie zaburzenia lésion lésions lesión lesiones lesão lesione insuffisance insuficiencia insuficiência insufficienza niewydolność"

var sortKeys = sync.OnceValue(func() map[uint64]bool { return keySet(sorts) })

// syndrome reads an illness that its adjective names: "syndrome anxio-dépressif".
// It is i where none stands there.
func (x *Sheet) syndrome(i int) int {
	if !sortKeys()[x.tok[i].Key] || i+1 >= len(x.tok) || x.tok[i+1].Line {
		return i
	}
	if to := x.eponym(i); to > i {
		return to
	}
	if t := x.tok[i+1]; t.Kind == lex.Letters && t.Case == lex.Lower && x.hints(i+1) == 0 && (x.unknownAdjective(i+1) || t.Flags&(lex.Clinical|lex.Sick) != 0 || cutsHyphen(x.word(i+1))) {
		return i + 2
	}
	return i
}

// eponym is where an illness ends that is called after its discoverer, with the
// words between: "maladie à corps de Lewy", "síndrome de Rett". It is i for none.
func (x *Sheet) eponym(i int) int {
	if !oneOf(x.word(i), "maladie syndrome síndrome enfermedad doença sindrome morbo malattia ziekte syndroom choroba chorobę choroby zespół") {
		return i
	}
	for j := i + 1; j < len(x.tok) && j < i+6 && !x.tok[j].Line; j++ {
		if x.tok[j].Kind != lex.Letters && !x.is(j, "'-") || x.personAt(j) || x.held[j] && j == i+1 {
			return i
		}
		if x.capital(j) && x.tok[j].To-x.tok[j].From > 2 && !x.has(j, lex.Org|lex.OrgWord|lex.Place|lex.Month) {
			return j + 1
		}
		if x.hints(j)&(told|rules|could|possessive) != 0 {
			return i
		}
	}
	return i
}

func cutsHyphen(w string) bool { return strings.Contains(w, "-") }

// unknownAdjective tells whether a word in small letters is in no list of
// ordinary words and ends as adjectives of medicine do.
func (x *Sheet) unknownAdjective(i int) bool {
	t := x.tok[i]
	if t.Kind != lex.Letters || t.Case != lex.Lower || t.To-t.From < 6 || t.Flags&(lex.Word|lex.Foreign|lex.Kin|lex.Role) != 0 {
		return false
	}
	return t.Flags&lex.Medicine != 0 || lastly(x.word(i), "al ic ar ous oid ary ive ique ale aire ico ica ale aler ische ischer ischen iger igen ige")
}

// lastly tells whether a word ends in one of a blank-divided list of endings.
func lastly(w, ends string) bool {
	for end := range strings.FieldsSeq(ends) {
		if strings.HasSuffix(w, end) {
			return true
		}
	}
	return false
}

// medicalEnds are endings that only words of medicine have, by their last two
// letters.
var medicalEnds = sync.OnceValue(func() map[[2]byte][]string {
	ends := map[[2]byte][]string{}
	for end := range strings.FieldsSeq(strongEnds) {
		k := [2]byte{end[len(end)-2], end[len(end)-1]}
		ends[k] = append(ends[k], end)
	}
	return ends
})

// strongEnds, without accents on their last letters.
const strongEnds = "rthritis astritis titis ditis olitis nitis ritis litis citis carcinoma sarcoma melanoma lymphoma blastoma adenoma myeloma glioma karzinom sarkom melanom lymphom blastom adenom " +
	"ectomy ectomie ectomia ektomie ektomia ektomii oplasty oplastik oplastie oplastia oscopy oskopie oscopie oscopia oskopia ostomy ostomie ostomia plegia plegie " +
	"opathy opathie opatia neuralgia fibrosis stenosis thrombosis sclerosis cirrhosis arthrosis arthrose artrose artrosi artrosis stenose thrombose trombose trombosi fibrose sklerose sclerose zirrhose cirrose cirrosi " +
	"izumab ximab tuzumab limumab olumab inumab kinumab umabe imab imabe tinib ciclib sartan artana vastatin vastatina vastatine prazole prazol cillin cilina cilline cillina floxacin floxacino oxacin gliptin gliptina gliflozin glutide glutid glutida xaban xabana cycline ciclina zyklin dipine dipin dipina lukast triptan setron parib tegravir navir vudine zosin azepam zolam oxetine oxetin oxetina afaxin afaxine afaxina statyna mycin micina mycine aparin aparina heparina gabalin gabaline gabalina dronate dronat metformin prednisolon cortison salazine thiazide thiazid " +
	"oniosis oniose oniosi allergie allergien unverträglichkeit intoleranz intolleranza intolerancia intolerância entzündung infarkt karzinom insuffizienz fraktur frakturen prothese prothesen amputation thrombose embolie krebs hernie migräne ontsteking kanker infarct fractuur carcinoom zwakte rruptur ruptuur " +
	"zapalenie nowotwór"

// medicalEnd tells whether a word of some length has such an ending.
func medicalEnd(w string) bool {
	if len(w) < 8 {
		return false
	}
	for _, end := range medicalEnds()[[2]byte{w[len(w)-2] | 0x20, w[len(w)-1] | 0x20}] {
		if len(w) > len(end)+1 && strings.EqualFold(w[len(w)-len(end):], end) {
			return true
		}
	}
	return false
}

// compoundEnds are the second halves of German and Dutch compounds; the first
// must be a part of the body or another word of medicine.
const compoundEnds = "operation operationen op bruch brüche riss risse schmerz schmerzen transplantierter transplantierte operierter operierte kranker kranke patient patientin tumor tumore verletzung verletzungen störung störungen erkrankung erkrankungen krankheit transplantation schwäche lähmung ruptur spiegelung syndrom blutung leiden beschwerden implantat implantate ersatz therapie infektion infekt sucht abhängigkeit plastik punktion resektion biopsie entfernung rekonstruktion schaden luxation prellung zerrung stauchung versagen vergiftung allergie metastasen metastase steine stein implantation vergrößerung verkleinerung verengung trauma behandlung " +
	"operatie operaties breuk breuken pijn pijnen klachten letsel stoornis aandoening aandoeningen ziekte transplantatie falen verlamming syndroom bloeding vervanging verwijdering resectie scheur verslaving reconstructie verkleining amputatie allergie embolie trombose problemen patiënt patiënte lijder gezwel stenen foto"

// medicalCompound tells whether a word joins a part of the body and what is wrong with
// it or done to it: Hüftoperation, Knie-OP, schouderoperatie.
func medicalCompound(w string) bool {
	if len(w) < 6 {
		return false
	}
	low := strings.ToLower(w)
	if head, last, ok := cutLast(low, '-'); ok && len(head) > 1 {
		const what = lex.Act | lex.Hurt | lex.Ill | lex.Care
		return lex.Of(lex.Key(last))&what != 0 && stemFlags(head)&(lex.Part|lex.Ill|lex.Care) != 0
	}
	if len(w) < 8 {
		return false
	}
	for _, end := range compoundTails()[[2]byte{low[len(low)-2], low[len(low)-1]}] {
		if head, ok := strings.CutSuffix(low, end); ok && len(head) > 2 && stemFlags(head)&(lex.Part|lex.Ill) != 0 {
			return true
		}
	}
	return false
}

func cutLast(s string, sep byte) (head, last string, ok bool) {
	i := strings.LastIndexByte(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

var compoundTails = sync.OnceValue(func() map[[2]byte][]string {
	ends := map[[2]byte][]string{}
	for end := range strings.FieldsSeq(compoundEnds) {
		k := [2]byte{end[len(end)-2], end[len(end)-1]}
		ends[k] = append(ends[k], end)
	}
	return ends
})

// stemFlags looks up the first half of a compound, with the letters that join
// halves or without.
func stemFlags(head string) lex.Flags {
	f := lex.Of(lex.Key(head)) | lex.Of(lex.Key(head+"e"))
	for _, joint := range []string{"s", "n", "en", "es", "er"} {
		if stem, ok := strings.CutSuffix(head, joint); ok && len(stem) > 2 {
			f |= lex.Of(lex.Key(stem))
		}
	}
	return f
}
