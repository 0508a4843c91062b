package detect

import (
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// hint is what a word near an ailment tells about whose it is.
type hint uint32

const (
	possessive  hint = 1 << iota // my, ihre, son
	pronoun                      // she, him, ich
	suffers                      // diagnosed, leidet, padece
	has                          // has, hat, tiene: only with somebody before it
	anyone                       // patients, Kinder, toute personne
	organ                        // clinic, Abteilung: what an ailment in front of it names
	topic                        // coverage for, such as, bei
	rules                        // covers, excludes, zahlt: what plans and laws do
	every                        // most, jede, quelques
	joining                      // of the, du, an der: joins a treatment and a part of the body
	conjunction                  // and, und
	stage                        // stage, Grad, NYHA: a number follows
	told                         // verbs in the past: a story, no rule
	could                        // may, if, whether: no story
	paper                        // leaflet, Merkblatt: what tells of an ailment in general
	animal                       // dog, Pferd: what a vet treats
	market                       // tier, Rezeptur, estoque: what trade and plans do with medicines
	record                       // chart, Arztbrief: what tells of a person's
)

// hintWords are the words of each hint, in eight languages.
var hintWords = map[hint]string{
	paper:  "poster posters campaign campaigns booklet booklets course courses lecture lectures seminar workshop webinar statistics figures plakat plakate aushang kampagne kurs kurse vortrag statistik statistiken merkblätter faltblätter schulung affiche affiches campagne formation conférence statistiques cartel carteles campaña curso cursos charla estadísticas folletos cartaz cartazes campanha palestra estatísticas manifesto locandina campagna corso corsi convegno statistiche opuscoli cursus lezing cijfers folders plakat plakaty kampania wykład szkolenie statystyki ulotki price prices priced prijs prijzen preis preise preises prix precio precios preço preços prezzo prezzi cena ceny cenę cenie leaflet leaflets brochure pamphlet guide guidance guideline advice information group groups study studies article website merkblatt faltblatt flugblatt leitfaden ratgeber richtlinie broschüre brochure guide dépliant folleto guía folheto opuscolo volantino folder richtlijn ulotka ulotkę broszura poradnik program screening dépistage cribado rastreio baremo tabelle tabela tabella tableau",
	animal: "krowa krowy krów konia owce świnie bydło vet vets veterinary veterinarian puppy kitten horse pony foal cow cattle tierarzt tierärztin tierklinik pferd stute welpe vétérinaire chaton cheval jument veterinario veterinaria caballo yegua cachorro veterinário veterinária cavalo égua cavallo cavalla dierenarts paard merrie weterynarz",
	market: "manquait manquaient introvable introvables introvabile introvabili partout ovunque overal überall wszędzie everywhere unavailable short krijgen brakowało zabrakło fehlten fehlte leverbaar lieferbar rupture faltaban faltavam mancavano tier tiers formulary copay copays premium premiums schedule bulletin stock shortage supplier suppliers wholesaler manufacturer makers recall recalled patent generic generics aisle shelf kiosk discount coupon rebate festbetrag lieferengpass hersteller großhandel rezeptpflichtig stocks rupture fabricant remboursement générique génériques ticket desabastecimiento fabricante genérico genéricos existencias estoque genérico tabela comparticipação fabricante produttore scorte generico generici fascia fabrikant voorraad tekort tekorten engpass engpässe pénurie escasez desabastecimento carenza carenze brak shortages generiek refundacja refundacji producent hurtownia lista liście zamiennik",
	record: "gp hausarzt hausärztin généraliste huisarts prescription ordonnance rezept receta receita ricetta recept recepta recepcie rendu note notes chart summary report records attest befund arztbrief entlassbrief entlassungsbrief bericht diagnóstico diagnosi diagnose diagnosis compte-rendu certificat certificado informe laudo relatório referto ontslagbrief verslag uitslag opis wynik karta karcie kartę karty wypis wypisie wypisu wypisowej zaświadczenie zaświadczeniu orzeczeniu opisie wyniku rozpoznanie biopsy biopsie evento unfall befundbericht",

	possessive: "my his her our their mine hers mein meine meiner meinem meinen meines seine seiner sein seinem seines seinen ihre ihrer ihr ihrem ihren ihres unsere unser unserer unserem unseren mon ma mes son sa ses notre nos leur leurs mi mis su sus nuestra nuestro nuestros meu minha meus minhas seu sua seus suas nosso nossa dele dela mio mia miei mie suo sua suoi sue nostra nostro loro mijn zijn haar onze ons hun diens mój moja moje mojej mojego moją mojemu swoją swojej swój swoim jego jej nasz nasza naszej naszego ich",
	pronoun:    "żona mąż tío go mu m caí tuve salí pasé empecé recibí sufrí necesito necesité vivo uso saí passei parti sofri preciso comecei recebi fiz faço levei ingresé ingresó ingresaron operaron me-operaron internaram internei dimisero ricoverarono wypisali przyjęli trafiłem trafiłam operowali usunęli wycięli hubby wifey missus nan nana nanny's ex-husband ex-wife toddler teen teenager newborn twin twins resident lodger worker's stepfather stepmother stepdad stepmum stepmom godson goddaughter carer fiance fiancee girlfriend's schwägerin schwager schwiegersohn schwiegertochter neffe nichte enkel enkelin lebensgefährte lebensgefährtin lebensgefährten säugling mama papa mutti vati maman papy papi mémé pépé gamin gamine belle-mère beau-père belle-sœur beau-frère tonton cousin cousine neveu nièce compagnon compagne conjoint conjointe petit-fils petite-fille nourrisson papá mamá abuelito abuelita yerno nuera cuñado cuñada sobrino sobrina nieto nieta crío cría pareja genro cunhado cunhada sobrinho sobrinha neto neta companheiro companheira afilhado papà mamma babbo nipote nipotino genero nuora cognato cognata compagno compagna convivente bambino bambina schoonvader schoonmoeder schoonzus schoonzoon zwager neef nicht kleinzoon kleindochter dochtertje zoontje baby'tje opa's oma's pap mam teściowa teściową teścia zięć zięcia synowa synowej wnuk wnuka wnuczka wnuczkę szwagier szwagra szwagierka tata tato mama partnerka partnera niemowlę i've i'm i'd he'd she'd he's she's hx pat soffro ho prendo manco ero avevo sofro tenho sou tomo estive perdi fiquei fui estou padezco tengo soy estuve perdí sufro llevo choruję mam biorę leżałem leżałam byłem byłam jestem cierpię dostałem dostałam straciłam alumno alumna aluno aluna alunno alunna leerling uczeń uczennica élève schüler schülerin pupil baby bebé bebê bimbo bimba niño niña menino menina dziecko dziewczynka mamy mamie mamę mamą taty tacie tatę tatą żony żonie żonę żoną męża mężowi mężem syna synowi synem córki córce córkę córką ojca ojcu ojcem matki matce matkę matką brata bratu bratem siostry siostrze siostrę siostrą babci babcię dziadka dziadkowi teścia teściowa teściowej ciotki ciotce wujka wnuczki wnuka dziecka dziecku pacjent pacjenta pacjentka pacjentki pacjentce mannes vaters bruders sohnes kindes opas omas i he she we me him us ich er sie wir mich mir ihn ihm uns je j elle il nous yo él ella nosotros eu ele ela lhe lhes io lui lei noi ik hij zij ze wij mij hem haar ja on ona mnie mu nim nią pt " + parties,
	suffers: "diagnosed diagnosis suffers suffer suffered suffering prescribed treated treating undergoing underwent undergo developed developing admitted recovering recovered recovery takes taking hospitalised hospitalized operated survived survivor contracted sustained broke injured battling fighting fought needs needed disabled caused died lives living refused denied losing lost receiving received awaiting " +
		"diagnostiziert leidet litt leide leiden leidend verschrieben verschrieb verordnet verordnete behandelt erkrankt erkrankte erlitt erlitten festgestellt operiert eingeliefert eingewiesen starb gestorben überlebte nimmt einnimmt bekam erhielt braucht benötigt bescheinigte bescheinigt attestierte stürzte brach " +
		"souffre souffrait souffrant souffrir atteint atteinte diagnostiqué diagnostiquée diagnostiquer prescrit prescrite subi subir opéré opérée hospitalisé hospitalisée traité traitée soigné soignée victime porteur porteuse décédé décédée suivi suivie développé prend " +
		"padece padecía padecer sufre sufría sufrió sufrir diagnosticado diagnosticada diagnosticaron diagnosticó detectaron detectado recetó recetado recetaron prescribió operaron operó ingresó ingresada ingresado hospitalizada hospitalizado tratada tratado toma necesita necesitaba contrajo falleció afectado afectada " +
		"sofre sofria sofreu sofrer padeceu diagnosticou detetaram receitou receitado prescreveu prescrito operou internado internada hospitalizado tratado tratada precisa precisava faz acometido portador portadora faleceu portadora foi " +
		"soffre soffriva soffrire affetto affetta diagnosticato diagnosticata diagnosticarono diagnosticata riscontrato riscontrata prescritto prescritta prescrisse ricoverato ricoverata operato operata subito subito sottoposto sottoposta curato curata malato malata assume morto morta portatore portatrice " +
		"lijdt leed lijden gediagnosticeerd voorgeschreven behandeld geopereerd opgenomen geveld slikt gebruikt kreeg onderging overleed vastgesteld getroffen nodig " +
		"choruje chorował chorowała choruję cierpi cierpiał cierpiała cierpię przyjęto przyjęty przyjęta zdiagnozowano zdiagnozowała rozpoznano stwierdzono wykryto przepisał przepisała przepisano leczony leczona leczy przyjmuje przyjmuję przeszedł przeszła zachorował zachorowała doznał doznała bierze chory chora potrzebuje zmarł zmarła",
	has:    "está estaba estava estão están wears wear wore walks walk trägt trage trug geht gehe porte portait marche lleva llevo usa uso anda ando porta porto gira cammina draagt draag loop loopt nosi noszę chodzi chodzę porusza has had have having with got hat hatte habe haben mit a ai avait avec tiene tenía tengo con tem tinha tenho teve com ha aveva ho con heeft had heb met ma mam miał miała z ze był była jest is was am are ist war bin bei es era sono être esttait u",
	anyone: "patients people persons children adults women men anyone anybody someone everyone nobody members survivors sufferers those drivers pilots employees babies kids veterans seniors customers claimants applicants menschen patienten kinder kindern versicherte versicherten personen frauen männer betroffene betroffenen jeder jemand wer erwachsene erwachsenen menschen rentner arbeitnehmer patients personnes enfants femmes hommes adultes quiconque assurés malades salariés personas pacientes niños mujeres hombres adultos asegurados quien quienes trabajadores pessoas crianças mulheres homens doentes quem utentes segurados trabalhadores persone pazienti bambini donne uomini adulti chi malati assicurati lavoratori mensen patiënten kinderen vrouwen mannen volwassenen iedereen wie verzekerden werknemers osoby osób osobom pacjenci pacjentów dzieci kobiety mężczyźni dorośli chorzy chorych ubezpieczeni kto pracownicy",
	organ: "record records section sections chapter chapters handbook excuse estimate estimates quote quotes fee fees price prices waiver season recall recalls lawsuit leaflet templates desk targets clinic clinics department unit ward centre center centres nurse nurses specialist specialists consultant team policy policies coverage cover benefit benefits insurance insurer plan plans guideline guidelines programme program charity association foundation society research drug drugs drugmaker screening awareness care service services leaflet group network register registry helpline line codes code criteria form forms claims claim rider leave formulary tier list lists bill bills exception exemption exclusion exclusions provider providers institute trust hospital hospitals pharmacy pharmacies day month week act law rules rule review examination examiner examinations school classes class supplies equipment allowance ratio sheet budget costs cost market company companies desk office supplier suppliers manufacturer parity sessions limit limits copay deductible authorisation authorization prior category strategy campaign walk fund lab labs facility facilities appointment appointments schedule department's slots waiting devices device ramp access parking parity customer customers rate rates dispute disputes denials denial appeals appeal reform treatment-free home homes worker workers therapist therapists assistant assistants surgeon surgeons society's certificate certificates referral referrals " +
		"klinik abteilung zentrum station ambulanz beratung verband verein stiftung hilfe gesellschaft kasse versicherung praxis sprechstunde richtlinie katalog clinique centre service association fondation ligue assurance garantie consultation clínica centro unidad asociación fundación servicio departamento seguro unidade associação fundação serviço liga reparto centro associazione fondazione servizio ambulatorio afdeling polikliniek centrum fonds vereniging verzekering oddział poradnia fundacja stowarzyszenie klinika",
	topic:       "sur sul sulla sull sullo sui sulle wie darunter waaronder for on advice guidance information leaflet coverage covering cover covered such like e.g including excluding regarding about concerning for against claims bei gegen für wegen zu über etwa beispielsweise inklusive einschließlich anlässlich pour contre comme notamment concernant dont para contra como sobre incluidas per contro come riguardo voor tegen zoals bij over przy na przeciw jak dla wobec",
	rules:       "sluit sluiten sluitt wyklucza wykluczają wymagają esclude escludono exclui exclut excluyen piden exigen cobran cobram exigem verlangen exigent demandent chiedono richiedono vragen eisen entram entran entrano zależy pokrywa dépend hängt erfolgt depende dipende hangt uses use goes go covers cover covered excludes exclude lists list counts count requires require pays pay applies apply qualifies qualify falls fall depends provides offers includes include asks ask treats allows entitles bars mandates reimburses caps governs means needs ships publishes costs use quote cite check note remember erstattet erstatten zahlt zahlen gilt gelten fällt deckt umfasst verlangt übernimmt braucht brauchen schließt reicht steht gibt berechtigt muss darf soll couvre rembourse relève prend exige vaut ouvre donne figure figurent exclut prévoit suffit cubre paga exige requieren requiere entra entran dan incluye excluye rige valen cobre cobrem danno niega procede exige inclui dão vale consta figura anula copre paga rientra rientrano richiede prevede spetta vale riguarda dekt vergoedt valt vallen geldt telt vraagt vereist eist betaalt beslist hoort obejmuje refunduje wymaga przysługuje płaci daje jest są należy trzeba wyłącza figuruje",
	every:       "most many some any every several all no each few certain various common other viele manche jede jeder jedes jedem alle einige keine andere certains certaines plusieurs chaque tout toute tous toutes quelques aucun autres algunos algunas cualquier cada todo toda todos muchos otros ningún alguns algumas qualquer todos muitos outros ogni alcuni alcune qualsiasi tutti tutte altri altre nessun elke iedere veel sommige alle enkele andere geen każdy każda każde wszystkie niektóre inne wiele żaden",
	joining:     "one of in on the to at both an am der des die das dem den im beider beiden unteren oberen von vom an auf du de la le les l au aux à d des deux el los las del en al un una uno do da dos das no na nos nas ao aos o os as di dello della dei delle degli dell al allo alla ai alle il lo gli nel nella van het een in op aan w we na",
	conjunction: "and or plus und oder sowie et ou y e o ed en of oraz i lub",
	stage:       "stage grade type class level phase nyha gleason clark weber asa stadium grad typ klasse stufe stade grade classe estadio estádio estágio grado grau fase tipo stadio graad klas stopnia stopień typu",
	told:        "decía tenía hacía sabía quería podía debía vivía dizia fazia devia podia queria sabia havia vivia überging strich sprach bestand bekam verlangte lehnte wollte sah stieg fiel rief traf zog warf brach trug verwies erhielt wies stellte kwam wees toonde bevestigde stuurde vroeg was were had went took said told came gave found made paid wrote sent got kept left held began knew saw read won lost felt brought thought became called showed stopped shown been wurde wurden war waren hatte hatten schrieb kam ging gab hielt lag stand nahm ließ verlor hat habe avait était étaient fut eut eu été avaient había tenía era fue fueron eran estaba dijo hizo dio puso tuvo pidió foi foram tinha era estava teve deu disse fez era aveva erano stato stata fu disse fece diede ha hanno werd werden had hadden kreeg schreef ging zei gaf vond nam lag stond heeft hebben był była było byli były miał miała",
	could:       "may might can could should must if whether when unless would you your yours wenn falls ob dürfen kann können muss müssen soll sollte man ihr quand lorsque peut peuvent doit doivent faut vous votre cuando puede pueden debe deben usted pode podem deve devem quando può possono deve devono bisogna kan kunnen moet moeten als wanneer mag u uw je jeśli jeżeli gdy można może mogą trzeba należy czy",
}

// hintKeys maps words to their hints.
var hintKeys = sync.OnceValue(func() map[uint64]hint {
	keys := map[uint64]hint{}
	for h, words := range hintWords {
		for w := range strings.FieldsSeq(words) {
			keys[lex.Key(w)] |= h
		}
	}
	for key := range clashKeys() {
		keys[key] |= clashing
	}
	return keys
})

// hints are the hints of token i, 0 for one that does not exist.
func (x *Sheet) hints(i int) hint {
	if i < 0 || i >= len(x.tok) || x.tok[i].Kind != lex.Letters {
		return 0
	}
	h := hintKeys()[x.tok[i].Key]
	if h&clashing != 0 {
		return x.unclashed(i, h)
	}
	return h
}

// past tells whether token i is a verb that tells what happened. A participle
// behind a form of "be" in the present tells a rule.
func (x *Sheet) past(i int) bool {
	h := x.hints(i)
	if h&told != 0 {
		return true
	}
	t := x.tok[i]
	if t.Kind != lex.Letters || t.Case != lex.Lower || t.To-t.From < 4 || h != 0 && h&suffers == 0 {
		return false
	}
	if before := x.hints(i - 1); before&(joining|possessive) != 0 && x.tongue() != polish || before&every != 0 && x.tongue() == english {
		return false // a noun: la santé, il mercato
	}
	if x.tongue() == german && i+1 < len(x.tok) && x.tok[i+1].Flags&lex.Noun != 0 && (x.hints(i-1)&(topic|every) != 0 || oneOf(x.wordOr(i-1), "ein eine einen einem")) {
		return false // an adjective: für bestimmte Diagnosen
	}
	if oneOf(x.wordOr(i-1), "va viene vengono vanno is are be being get gets est sont être ser são sono essere ist sind wird werden wordt worden") {
		return false
	}
	return lastly(x.word(i), pastEnds[x.tongue()]) && !lastly(x.word(i), "heute leute weite breite kosten daten raten seite werte karte provided heed need speed seed feed indeed leva neva beste erste letzte rechte gute alte private nächste gesamte bestimmte hetzelfde dezelfde derde goede beide einde waarde schade periode methode ziekte hoogte rente route eerste laatste meeste minste volgende geldende bestaande miete durée santé società société")
}

// pastEnds are endings of verbs in the past and of participles, by language.
var pastEnds = [tongues]string{
	english: "ed", german: "te tete", dutch: "te de", french: "é ée és ées ait aient", spanish: "ó aron ieron aba ado ada ido",
	portuguese: "ou ava aram eram iram eu iu", italian: "ato ata ito uto ava eva iva ò", polish: "ało yło ali ały ili yły iło iła yła ała ował ano ono łem łam ił ył ał ęli ął ęła",
}
