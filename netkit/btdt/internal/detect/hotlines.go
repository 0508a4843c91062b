package detect

import (
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// hotlines are telephone numbers of public offices, ombudsmen and charities that
// everybody may ring, by country, without the country code.
const hotlines = "8008291040 8008294933 8777774778 8007721213 8006334227 8554112372 8773824357 8664443272 8006699777 8664879243 8003216742 8006694000 8882255322 8884636332 8883274236 8002758777 8008271000 8774238387 8004333243 8003182596 8009853059 8003681019 8006382772 8003755283 8006213362 8006136743 8772753342 8888516153 8007320330 8004007242 8777725772 8883687238 8662541792 8002221222 8773228228 8004213481 8002523439 8884662219 8009274357 8006497570 8003423736 8003423377 8776935236 8007998800 8006564673 8002738255 8006211140 8004249346 8006777778 " +
	"8009598281 8009595525 8004613222 8664613222 8882211687 8882222592 8008899768 8883323234 8003870750 8002631830 8002821376 8884514519 8882958112 8886722556 8006226232 8002067218 8002779914 8884632525 " +
	"08082231133 08001448848 08000234567 03001239123 03001231100 03031231113 03000610614 03450154033 08088004444 08088084000 08001381111 08000113797 03002003300 03002003700 03002003500 08003285644 08001214433 08007310469 03304401624 03001233333 03001113000 08009174487 03300940362 08081689111 08006781602 08000281456 08081646000 03001236262 08001216022 0800807060 08088000082 03001232040 03007906801 03002220000 03454040506 08007310453 03001235000 08000680999 08082000247 116123 0818808090 0818074000 014025555 " +
	"1300302502 131394 1800931678 1800062058 1800007007 1800800110 133220 1300558181 1300018228 1800500509 1800246545 132850 132861 132011 1300362072 1300363992 1300300630 1800737732 0508426678 0800836262 0800367222 0800209020 0800222277 " +
	"08004555500 080010004800 08001110111 08001110222 03022480500 08002100500 08005399000 116117 116016 116116 0800222666 0800201211 " +
	"0809540550 0800112112 0805805817 0806706806 0809401401 116006 0800940939 0820222222 " +
	"900293183 901336699 901335533 915548770 915421176 900222999 900116016 901166565 803164 800166654 800166661 800909696 800863119 " +
	"08000543 08008020 08008051 0880707070 0800120033 800007707 801440220 222667676 800676676 225601600 801055055 800190590 800165320 " +
	"808242424 300502502 217206707 800206665 808102010 808200084 800202148 707200277 08007019656 08009792345 08007272010 0800619619 0080067891011 8775572575 8773342534 920001177 0860000272 0860662837 0800029999"

// helplines announce a number that is meant for everybody, where it is free.
const helplines = "helpline hotline toll-free tollfree freephone freecall infolinia infolinii verde vert gratuita gratuit gratuito gratuitement kostenlos kostenlose kostenlosen kostenfreie gratis bezpłatna bezpłatnej bezpłatny bürgertelefon servicetelefon adviceline hulplijn"

// hotline tells whether a number from one byte to another is a public one: listed,
// or free of charge and announced as a line for everybody. What has 555 in it is
// made up.
func (x *Sheet) hotline(from, to int) bool {
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, x.s[from:to])
	home := digits
	switch {
	case len(digits) == 11 && digits[0] == '1' && digits[1] == '8':
		home = digits[1:]
	case len(digits) == 12 && strings.HasPrefix(digits, "01800"):
		home = digits[2:] // Mexico
	case strings.HasPrefix(x.s[from:to], "+44"):
		home = "0" + strings.TrimPrefix(digits[2:], "0")
	case strings.HasPrefix(x.s[from:to], "+") && len(digits) > 9:
		home = digits[2:]
	}
	if oneOf(home, hotlines) || shortService(x.s[from:to]) {
		return true
	}
	if strings.Contains(digits, "555") || !free(home) {
		return false
	}
	i := x.at(from)
	for j := i - 1; j >= 0 && j >= i-4 && !x.tok[j+1].Line; j-- {
		if oneOf(x.word(j), helplines) || x.word(j) == "free" && oneOf(x.wordOr(j-1), "toll") {
			return true
		}
	}
	return oneOf(x.wordOr(x.at(to)), helplines) || headApart(x.s[from:to]) && x.freeLine(i)
}

// shortService is 0900-0101, as firms and offices of the Netherlands have.
func shortService(s string) bool {
	return len(s) == 9 && (s[4] == '-' || s[4] == ' ') && digitsIn(s) == 8 && oneOf(s[:4], "0800 0900 0906 0909")
}

// headApart tells whether a number is written as free ones are: 0800 887 0463, with
// its head apart. Identifiers are not.
func headApart(text string) bool {
	head := strings.IndexAny(strings.TrimLeft(text, "(+"), " -.)")
	return head > 0 && head < 5 && digitsIn(text) < 12 && strings.Trim(text, "0123456789 -.()+/") == ""
}

// freeLine tells whether the free number at token i stands right behind an office or
// firm in a list of contacts where its sentence names nobody: Ouvidoria, Nubank,
// 0800 887 0463. In a story it may be the desk of somebody.
func (x *Sheet) freeLine(i int) bool {
	office := i - 1
	if x.is(office, ",:(") {
		office--
	}
	if x.Field != "key_contacts" || !x.officeEnds(office) {
		return false
	}
	const other = lex.Org | lex.OrgWord | lex.Seen | lex.Word | lex.Foreign | lex.Place
	for j := i - 1; j >= 0 && !x.is(j, ";") && !x.tok[j+1].Line; j-- {
		if x.has(j, lex.Title|lex.Kin) || x.capital(j) && x.has(j, lex.Given|lex.Surname) && !x.has(j, other) {
			return false
		}
		if x.sentenceStart(j) {
			break
		}
	}
	for j := i + 1; j < len(x.tok) && !x.is(j, ";.") && !x.tok[j].Line; j++ {
		if x.has(j, lex.Title|lex.Kin) || x.capital(j) && x.has(j, lex.Given|lex.Surname) && !x.has(j, other) {
			return false
		}
	}
	return true
}

// officeEnds tells whether the name of an office or a firm ends at token j, with up
// to two capitals behind the word that says so: Gas Safe Register.
func (x *Sheet) officeEnds(j int) bool {
	for hops := 0; hops < 3 && x.capital(j); hops, j = hops+1, j-1 {
		if x.has(j, lex.Org|lex.OrgWord|lex.Seen|lex.Role) || x.bureau(j) {
			return true
		}
		if x.has(j, lex.Given|lex.Surname) && !x.has(j, lex.Word|lex.Foreign) {
			return false
		}
	}
	return false
}

// free tells whether nobody in private has such a number.
func free(digits string) bool {
	for _, head := range []string{"0800", "0808", "0300", "0303", "0330", "0333", "0343", "0344", "0345", "0370", "0371", "0810", "0508", "1800", "1300", "0818", "1890"} {
		if strings.HasPrefix(digits, head) {
			return len(digits) >= 8
		}
	}
	if len(digits) == 6 && strings.HasPrefix(digits, "13") {
		return true // Australia
	}
	return len(digits) == 10 && oneOf(digits[:3], "800 833 844 855 866 877 888") || len(digits) == 9 && oneOf(digits[:3], "800 801 808 900")
}

// dialWords stand before the short numbers of hotlines.
const dialWords = "dial call ring text sms appelez appeler composez composer joindre joignez téléphonez anrufen wählen chiamate chiamare comporre llame llamar marque marcar ligue ligar disque bel bellen zadzwoń zadzwonić"

// shortCode tells whether a number of three to five digits behind a word for
// number, token i, is one that everybody dials: composez le numéro 3639.
func (x *Sheet) shortCode(i int, text string) bool {
	if len(text) < 3 || len(text) > 5 || digitsIn(text) != len(text) {
		return false
	}
	for j := i - 1; j >= 0 && j >= i-4 && !x.tok[j+1].Line; j-- {
		if oneOf(x.word(j), dialWords) {
			return true
		}
	}
	return false
}
