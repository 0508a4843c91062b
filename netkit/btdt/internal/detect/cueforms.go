package detect

// cueForms are further forms of words before references, plurals and cases above
// all, and words that the older tables leave out, a row a kind and language. Those
// that are words of every day are weak, as in moreCueWords.
var cueForms = []struct{ kind, strong, weak string }{
	// English
	{CaseRef, "writ petition,w.p,fir,job sheet,job card,ach trace,e-receipt,dispatch note,delivery note,advice note,credit note,debit note,noise log,complaint log,casefile,acc45,crime report,log sheet,collar number,collar no", "files,dockets,receipts,bookings,reservations,appeals,incidents,disputes,transactions,matters,permits,certificates,ubrn,qcat,bates,deed,epc,nhbc,plot"},
	{OtherID, "codice paziente,código de paciente,código do paciente,code patient,patientencode,patiëntcode,kod pacjenta,patient code,airbill,key fob,insurance cert", "parcels,locker,senha,id,ids,quoting,quoted,code,codes,código,codice"},
	{PolicyRef, "", "contracts,verträge"},
	{NationalID, "ird,nhi,ppsn,hicn,crachá,penning", "shield,licença,licences,passports,inmate,detainee"},
	{Financial, "", "transit,checks,cheques,chèques,assegni,czek,czeki,czeku,transferencia,transferência,virement,virements"},
	{Account, "", "mandate,mandato"},

	// German
	{CaseRef, "gesch-z,gesch.-z.,tagebuchzahl,grundbuchzahl,buchungscode,reservierungscode,gutscheincode,bestätigungscode,abholcode,aktivierungscode,freischaltcode,vgnr,einlagezahl", "meldung,meldungen,fälle,fällen,schäden,vorgänge,vorgängen,bestellungen,aufträge,aufträgen,anträge,anträgen,bescheide,bescheiden,sendungen,reklamationen,buchungen,beschwerden,rechnungen,akten,widersprüche,kennung,fahrkarte,fahrschein,ticket,leistungsfall,versicherungsfall,schadenfall,schadensfall,strafanzeige,anzeige,strafzettel,knöllchen,verwarnung,zeichen,bezug,betreff,verwendungszweck"},
	{OtherID, "lieferstelle,matrikel", "wasseruhr,hausanschluss,grundbuch,blatt"},
	{NationalID, "", "visum"},
	{Account, "ktnr", "abo"},

	// French
	{CaseRef, "portalis,lettre recommandée,bon de livraison,télépaiement,e-billet,avis d'imposition,nda,bon de retour", "procédure,pv,parquet,rôle,récépissé,bordereau,signalement,saisine,amende,conseiller,mission,opposition,plaintes,antai,mdph,cde"},
	{OtherID, "", "colissimo,chronopost,linky"},
	{NationalID, "neph", "assuré,bénéficiaire"},
	{Account, "rum", "urssaf,cesu,pajemploi"},
	{PolicyRef, "", "contrats"},

	// Spanish
	{CaseRef, "rad,providencia de apremio,clave de liquidación,partida registral", "referencias,boletín,liquidación,carpeta,folios,avería,recibo,remesa,pasaje,equipaje,burofax,identificador,ejecución,causa,albarán"},
	{OtherID, "", "partida"},
	{NationalID, "", "visado,carné,colegiado,alumno"},
	{Medical, "", "episodio"},

	// Portuguese
	{CaseRef, "guia de transporte,guia de remessa,carta registada,cadúnico,siape", "reclamações,queixas,participação,contraordenação,avaria,registo,mandado,precatório,rpv,inscrição,candidatura,aluno,incidente,contadores,duc,dua"},

	// Italian
	{CaseRef, "ddt,cron,pat inail,conto contrattuale", "protocolli,fascicoli,faldone,ruolo,verbali,notifica,contravvenzione,esposto,scontrino,bolla,raccomandate,pacchi,biglietti,riferimenti,protocollato,protocollata,iscritto,iscritta,registrato,registrata,identificativo"},
	{Account, "umr", "utenze,tessere,posizione,sdd"},
	{OtherID, "", "contatori,collo,mappale"},

	// Dutch
	{CaseRef, "rolnr,rolnr.,kassabon,werkbon,proces-verbaal,boekingscode,kortingscode", "kenmerken,referenties,meldingen,schades,nota,bestellingen,boekingen,reserveringen,boetes,beschikking,cjib,beroep,aanvragen,vordering,incasso,medewerker,verwijzing,aangetekend"},
	{Account, "", "debiteur,toeslag,machtiging,aansluiting"},
	{PolicyRef, "", "contracten,huurovereenkomst"},
	{OtherID, "", "perceel,simkaart,cadeaubon"},

	// Polish
	{CaseRef, "pasek płacowy,numerem referencyjnym,identyfikatora,identyfikatorem", "zezwolenie,zezwolenia,pozwolenie,pozwolenia,spraw,sprawą,sprawach,sygnaturze,sygnaturami,aktach,aktami,szkodę,szkodzie,szkodą,szkód,faktur,fakturą,fakturze,fakturami,nota,noty,notę,reklamację,reklamacją,reklamacje,zgłoszeniu,zgłoszeniem,zgłoszeń,skargi,skargą,skardze,skarg,wnioskiem,wniosków,podanie,podania,pismem,piśmie,decyzję,decyzją,decyzje,postanowienie,postanowienia,postanowieniem,zaświadczenie,zaświadczenia,nakaz,nakazu,upomnienie,upomnienia,mandatem,mandaty,mandatów,protokołem,notatka,notatki,zamówieniu,zamówieniem,zamówień,rezerwację,rezerwacją,rezerwacje,bilety,biletem,biletów,zleceniem,zleceniu,zleceń,egzekucja,egzekucją,komornik,odznaki,ticketu,referencje,orzeczeniem"},
	{OtherID, "", "przesyłki,przesyłkę,przesyłką,przesyłek,paczki,paczkę,paczką,paczek,licznikiem,licznikach,działka,działki"},
	{PolicyRef, "", "polisie,polisami,umową,umowie,umowach,umów,aneks,aneksu,aneksem,gwarancji,gwarancją"},
	{Account, "", "rachunkiem,rachunków,konta,koncie,kontem,klientem,klientki,płatnik,płatnika,hipoteka,hipoteki,świadczenie,świadczenia,emerytura,emerytury,renta,renty,najemca,najemcy"},
	{NationalID, "", "legitymacji,legitymacją,dowodzie,paszporcie"},
	{Financial, "", "przelewu,przelewem,przelewy"},
}
