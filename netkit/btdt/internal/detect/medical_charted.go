package detect

import "sync"

const (
	// nursing are those who write down what a patient has, beside doctors, and where
	// they do.
	nursing = "nurse nurses paramedic paramedics midwife physio physiotherapist optician dentist triage pflegerin krankenschwester hebamme sanitäter notarzt notaufnahme zahnarzt zahnärztin infirmier infirmière urgentiste urgences sage-femme kiné dentiste orthopédiste psychiatre enfermera enfermero urgencias ortopedista traumatólogo traumatóloga psiquiatra dentista pediatra enfermeira enfermeiro urgência urgências psiquiatra infermiera infermiere soccorso psichiatra verpleegkundige spoedarts seh verloskundige tandarts orthopeed pielęgniarka ratownik sor położna ortopeda psychiatra pediatra orthopäde orthopädin psychiater psychiaterin kinderarzt kinderärztin fysiotherapeut"

	// charting are verbs of writing down what one saw.
	charting = "wrote written noted recorded described documented certified entered charted schrieb geschrieben notierte notiert vermerkte beschrieb dokumentierte bescheinigte attestierte trug stehen écrit noté décrit certifié mentionne mentionné constaté inscrit retenu escribió escribieron anotó anotaron describió certificó apuntó escreveu escreveram anotou descreveu registou registrou certificou scritto scrisse scrive annotato descritto refertato certificato schreef schreven noteerde beschreef vermeldde napisał napisała napisali opisał opisała wpisał wpisała wpisali stwierdził stwierdziła odnotował odnotowała"
)

var (
	nursingKeys  = sync.OnceValue(func() map[uint64]bool { return keySet(nursing) })
	chartingKeys = sync.OnceValue(func() map[uint64]bool { return keySet(charting) })
)

// charted tells whether a doctor or a ward wrote an ailment down, which is then
// somebody's: the triage nurse wrote "suspected sepsis". The sentence starts at from.
func (x *Sheet) charted(a *ailment, from int) bool {
	for i := a.from - 1; i >= from && i > a.from-8; i-- {
		if !chartingKeys()[x.tok[i].Key] {
			continue
		}
		for j := i - 1; j >= from && j > i-9 && !x.anyoneAt(j); j-- {
			if nursingKeys()[x.tok[j].Key] || x.doctorAt(j) {
				return true
			}
		}
		return false
	}
	return false
}
