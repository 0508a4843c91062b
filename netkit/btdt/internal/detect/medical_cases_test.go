package detect

import (
	"strings"
	"testing"
)

// What one person's case is about goes from titles, laws and papers; what tells of
// anybody stays.
func TestAilmentsOfOneCase(t *testing.T) {
	for _, c := range []struct{ field, text, want string }{
		{"title", "Disability benefit restored for a Parkinson's disease patient in Ohio", "Parkinson's disease patient"},
		{"title", "Travel insurer pays after denial for a broken ankle in Spain", "broken ankle"},
		{"title", "Aviva pays a declined bowel cancer claim for Siobhan", "bowel cancer"},
		{"title", "Rente für einen Epilepsie-Patienten nach drei Jahren", "Epilepsie"},
		{"title", "Pension d'invalidité accordée à un salarié", ""},
		{"title", "How to win a cancer claim denial", ""},
		{"title", "How to get a bus place for a child with epilepsy", ""},
		{"title", "Plano de saúde autoriza tratamento de Davi Benício", ""},
		{"legal_levers", "Equality Act 2010 s.20, because Winifred is deaf", "deaf"},
		{"legal_levers", "§ 2 SGB IX, weil Hannelore Multiple Sklerose hat", "Multiple Sklerose"},
		{"legal_levers", "Ley 39/2006 de dependencia, ya que mi madre tiene alzhéimer", "alzhéimer"},
		{"legal_levers", "Autism Act 2009; Mental Health Act 1983", ""},
		{"steps", "Mandé un certificado de EPOC, así que no podían cortar.", "EPOC"},
		{"steps", "La fissure traverse le séjour de mon frère et part du plancher.", ""},
	} {
		if got := strings.Join(medicalIn(c.field, c.text), "|"); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %s: got %q, want %q", c.field, c.text, got, c.want)
		}
	}
}
