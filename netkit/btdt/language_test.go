package btdt

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// strangers tell a little case in languages that the word table hardly knows.
var strangers = map[string]string{
	"Swedish":    "Försäkringsbolaget nekade utbetalningen eftersom anmälan kom för sent, men vi skickade in kvittot och fick pengarna tillbaka efter tre veckor.",
	"Finnish":    "Vakuutusyhtiö hylkäsi hakemuksen, mutta lähetimme kuitit uudelleen ja saimme rahat takaisin kolmen viikon kuluttua.",
	"Czech":      "Pojišťovna zamítla žádost, ale poslali jsme všechny doklady znovu a po třech týdnech byly peníze na účtu.",
	"Turkish":    "Sigorta şirketi başvuruyu reddetti, ancak bütün faturaları yeniden gönderdik ve üç hafta sonra parayı geri aldık.",
	"Vietnamese": "Công ty bảo hiểm từ chối yêu cầu, nhưng chúng tôi gửi lại tất cả hóa đơn và sau ba tuần đã nhận lại tiền.",
	"Indonesian": "Perusahaan asuransi menolak permintaan kami, tetapi kami mengirim lagi semua kuitansi dan uang kembali setelah tiga minggu.",
	"Russian":    "Страховая компания отказала в выплате, но мы снова отправили все чеки и через три недели получили деньги.",
	"Greek":      "Η ασφαλιστική εταιρεία απέρριψε το αίτημα, αλλά στείλαμε ξανά όλα τα τιμολόγια και σε τρεις εβδομάδες πήραμε τα χρήματα.",
	"Japanese":   "保険会社の山田太郎さんは支払いを拒否しましたが、領収書をもう一度送り、三週間後に返金されました。",
	"Chinese":    "保险公司拒绝付款，但我们再次寄出了所有收据，三周后收到了退款。",
	"Korean":     "보험회사는 지급을 거절했지만 우리는 모든 영수증을 다시 보냈고 삼 주 후에 돈을 돌려받았습니다.",
	"Arabic":     "رفضت شركة التأمين الدفع لكننا أرسلنا جميع الفواتير مرة أخرى وحصلنا على المال بعد ثلاثة أسابيع.",
	"Hebrew":     "חברת הביטוח סירבה לשלם אבל שלחנו שוב את כל הקבלות וקיבלנו את הכסף אחרי שלושה שבועות.",
	"Hindi":      "बीमा कंपनी ने भुगतान से इनकार कर दिया लेकिन हमने सभी रसीदें फिर से भेजीं और तीन सप्ताह बाद पैसे मिल गए।",
	"Thai":       "บริษัทประกันปฏิเสธการจ่ายเงินแต่เราส่งใบเสร็จทั้งหมดอีกครั้งและได้เงินคืนหลังสามสัปดาห์",
	"Georgian":   "სადაზღვევო კომპანიამ უარი თქვა გადახდაზე, მაგრამ ჩვენ ხელახლა გავგზავნეთ ყველა ქვითარი.",
}

// A language or script that the tables hardly know is named, alone and among texts
// that can be read; forms go all the same, and nothing else does.
func TestUnreadIsNamed(t *testing.T) {
	named := []string{"Greek", "Japanese", "Chinese", "Korean", "Arabic", "Hebrew", "Hindi", "Thai"}
	for language, text := range strangers {
		want := UnknownLatin
		switch {
		case slices.Contains(named, language):
			want = language
		case language == "Russian":
			want = "Cyrillic"
		case language == "Georgian":
			want = "an unknown script"
		}
		among := good()
		among.Steps = append(among.Steps, text+" jane@example.org")
		for name, p := range map[string]Playbook{"alone": {Title: "x", Outcome: "x", Steps: []string{text + " jane@example.org"}}, "among": among} {
			r := mustScrub(&Scrubber{}, p)
			path := itemPath("steps", len(p.Steps)-1)
			if diff := cmp.Diff([]Unread{{Language: want, Paths: []string{path}}}, r.Unread); diff != "" {
				t.Errorf("%s %s (-want +got):\n%s", language, name, diff)
			}
			if got := r.Playbook.Steps[len(p.Steps)-1]; got != text+" [EMAIL_1]" {
				t.Errorf("%s %s: got %q, want only the address stripped", language, name, got)
			}
			if r := mustScrub(&Scrubber{Read: []string{strings.ToLower(want)}}, p); len(r.Unread) > 0 {
				t.Errorf("%s %s: got %+v, want nothing to read once the author has", language, name, r.Unread)
			}
		}
	}
}

// A sentence of eight words is enough among texts that can be read.
func TestShortTextIsNamed(t *testing.T) {
	for text, want := range map[string]int{
		"Kovács István tegnap visszahívott minket és kérte a szerződés hiteles másolatát postán.": 1,
		"Mette Jørgensen svarede at sagen ville blive afgjort inden fredag næste uge.":            1,
		"Virtanen lupasi että rahat tulevat tilille ennen kuukauden loppua varmasti.":             1,
		"Ayşe Demir paranın ay sonundan önce hesaba geçeceğine dair söz verdi.":                   1,
		"Bwana Otieno aliahidi kwamba pesa zitafika kabla ya mwisho wa mwezi huu.":                1,
		"Asked for podstemplowany odpis, Anlage zum Bescheid and numéro de dossier.":              0,
	} {
		p := good()
		p.Steps = append(p.Steps, text)
		if got := mustScrub(&Scrubber{}, p).Unread; len(got) != want || want > 0 && got[0].Language != UnknownLatin {
			t.Errorf("%q: got %+v, want %d", text, got, want)
		}
	}
}

// A foreign word is named even where the text around it can be read; letters of
// mathematics are none.
func TestForeignWordIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		"We asked 山田さん for a receipt again.": "Japanese", "We asked Mr 李 for a receipt again.": "Chinese",
		"We asked मैंने राजेश कुमार को फोन किया।": "Hindi", "Wrote to डॉ. सीता again.": "Hindi",
		"Take the β-blocker of 5 µg, and wait.": "", "Café and cafe\u0301 ❤\ufe0f were shut.": "", "We asked in the office for a receipt again.": "",
	} {
		p := good()
		p.Steps = []string{text}
		got := ""
		for _, u := range mustScrub(&Scrubber{}, p).Unread {
			got += u.Language
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
