package detect

import (
	"slices"
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// cue is what a word before a reference says of it. A strong one needs nothing
// else; a weak one, such as "case", needs a number word, a sign or a long number.
type cue struct {
	kind   string
	strong bool
}

// Words before references, in English, German, French, Spanish, Portuguese,
// Italian, Dutch and Polish. Strong ones come first in each pair.
var cueWords = []struct{ kind, strong, weak string }{
	{CaseRef,
		"claim number,claim no,claim id,claim ref,claim reference,claim #,case number,case no,case id,case ref,case reference,case #,docket,docket no,docket number,reference number,reference no,ref number,ref no,reference code,reference id,ticket number,ticket no,ticket id,ticket #,incident number,incident no,complaint number,complaint no,complaint reference,complaint ref,complaint id,order number,order no,order id,invoice number,invoice no,invoice id,tracking number,tracking no,tracking id,confirmation number,confirmation no,confirmation code,booking reference,booking number,booking code,reservation number,reservation code,application number,application no,file number,file no,matter number,matter no,service request,service request number,work order,work order number,work order no,badge number,badge no,badge id,employee id,employee number,staff id,meter number,meter serial,meter serial number,meter no,meter id,serial number,serial no,permit number,permit no,receipt number,receipt no,authorization number,authorisation number,authorization no,prior authorization number,auth number,denial number,appeal number,appeal no,appeal id,grievance number,petition number,warrant number,citation number,ticket ref,job number,job no,repair number,repair reference,rma,rma number,rma no,pnr,ein,index number,index no,cause number,cause no,cause no.,cafis,aka number,inquiry number,enquiry number,request number,request id,transaction id,transaction number,transaction reference,order ref,parcel number,consignment number,crime reference,crime reference number,crime number,case file,case file number,claim form number,loss number,call reference,call reference number,log number,record number,report number,police report number,police report,incident report number,incident id,escalation number,escalation id,dispute number,dispute id,dispute reference,dispute case,sr number,tribunal reference,hearing number,planning reference,planning application,licence application,letter reference,our ref,your ref,our reference,your reference,their ref,fos reference,payment reference,student number,student id,member reference,notice number,penalty charge notice,pcn,parking ticket,utr,badge,meter,mpan,mprn,ticket,file ref,reference,ref,refs,rmb,imei,esn,iccid,sim number,asset number,asset tag,lot number,parcel id,apn,locator,record locator,pir,freight bill,pro,libro de reclamaciones,hoja,etiqueta,shoulder number,commission,employee no,agent,inspector,constable,name tag,item,item number,schlüssel nr,e-ticket,uprn,reg no,registration number," +
			"aktenzeichen,az,a.z,geschäftszahl,geschäftszeichen,gz,schadennummer,schadensnummer,schaden-nr,schadennr,schadens-nr,vorgangsnummer,vorgangs-nr,vorgang nr,fallnummer,fall-nr,ticketnummer,ticket-nr,auftragsnummer,auftrags-nr,bestellnummer,bestell-nr,rechnungsnummer,rechnungs-nr,rechnung nr,sendungsnummer,buchungsnummer,buchungscode,zählernummer,zähler-nr,zählpunkt,zählerstandsnummer,referenznummer,referenz,beschwerdenummer,antragsnummer,bescheidnummer,reklamationsnummer,kassenzeichen,unser zeichen,ihr zeichen,dienstausweisnummer,dienstnummer,widerspruchsnummer,meldungsnummer,störungsnummer,aktennummer,bearbeitungsnummer,identifikationsnummer,seriennummer,belegnummer," +
			"numéro de dossier,n° de dossier,dossier n°,dossier numéro,dossier no,dossier,numéro de sinistre,sinistre n°,sinistre,référence,réf,réf.,références,numéro de réclamation,réclamation n°,numéro de commande,commande n°,numéro de facture,facture n°,numéro de suivi,n° de suivi,numéro de réservation,numéro de ticket,numéro de rôle,rg n°,numéro rg,numéro de compteur,compteur n°,pdl,point de livraison,numéro de parquet,numéro de série,matricule,numéro de demande,numéro d'incident,recommandé n°," +
			"número de expediente,expediente,expte,exp,nº de expediente,número de referencia,referencia,ref.,número de siniestro,siniestro,nº de siniestro,parte nº,número de reclamación,reclamación nº,número de pedido,pedido nº,número de factura,factura nº,localizador,número de incidencia,incidencia,incidencia nº,número de seguimiento,autos,autos nº,procedimiento,diligencias,número de contador,contador nº,cups,folio,número de folio,folio nº,número de caso,caso nº,número de solicitud,número de registro,registro nº,atestado,número de serie," +
			"número do processo,processo,processo nº,processo n.º,número de protocolo,protocolo,protocolo nº,número do protocolo,número do sinistro,sinistro,sinistro nº,número do pedido,número da reclamação,reclamação nº,reclamação n.º,chamado,chamado nº,número do chamado,ocorrência,boletim de ocorrência,número da fatura,fatura nº,fatura n.º,nota fiscal,nota fiscal nº,código de rastreio,código de rastreamento,número do caso,número de referência,referência,número do contador,contador n.º,cpe,cui,número de encomenda,localizador,autos nº,auto nº," +
			"numero di pratica,numero pratica,pratica n,pratica n.,pratica,numero sinistro,numero di sinistro,sinistro n,sinistro n.,numero di protocollo,protocollo,prot,prot.,protocollo n,numero reclamo,reclamo n,reclamo n.,numero ordine,numero d'ordine,ordine n,numero fattura,fattura n,fattura n.,riferimento,rif,rif.,numero di riferimento,codice prenotazione,numero prenotazione,pnr,numero ticket,segnalazione n,numero segnalazione,ruolo generale,r.g,rg,r.g.n.r,numero contatore,contatore n,matricola,pod,pdr,raccomandata n,numero verbale,verbale n,verbale n.,fascicolo,fascicolo n,numero di serie," +
			"dossiernummer,zaaknummer,zaak nr,zaaknr,kenmerk,ons kenmerk,uw kenmerk,referentienummer,referentie,klachtnummer,schadenummer,schadenr,claimnummer,meldingsnummer,meldnummer,ordernummer,bestelnummer,factuurnummer,factuurnr,boekingsnummer,reserveringsnummer,boekingscode,ticketnummer,rolnummer,parketnummer,aanvraagnummer,bezwaarnummer,meternummer,ean-code,ean,volgnummer,pakketnummer,zendingsnummer,beschikkingsnummer,cjib-nummer,proces-verbaalnummer,serienummer," +
			"numer sprawy,nr sprawy,sygnatura,sygnatura akt,sygn,sygn. akt,sygn.,znak sprawy,numer szkody,nr szkody,szkoda nr,numer zgłoszenia,nr zgłoszenia,zgłoszenie nr,numer reklamacji,nr reklamacji,reklamacja nr,numer zamówienia,nr zamówienia,zamówienie nr,numer faktury,nr faktury,faktura nr,faktury nr,numer rezerwacji,nr rezerwacji,numer przesyłki,nr przesyłki,numer licznika,nr licznika,licznik nr,numer wniosku,nr wniosku,wniosek nr,numer referencyjny,nr ref,numer decyzji,decyzja nr,decyzji nr,ppe,numer akt,nr akt,numer mandatu,mandat nr,numer seryjny,pod numerem",
		"claim,case,complaint,invoice,order,tracking,confirmation,booking,reservation,application,file,matter,incident,appeal,permit,receipt,request,dispute,parcel,serial,complaint ref,grievance,authorization,authorisation,escalation,citation,transaction,warrant,petition,job,repair,report,case file,extension,ext,fall,vorgang,schaden,rechnung,bestellung,beschwerde,sendung,auftrag,buchung,antrag,zähler,störung,reklamation,akte,einschreiben,bescheid,ordonnance,réclamation,commande,facture,suivi,réservation,demande,compteur,recours,courrier,pedido,factura,reclamación,contador,caso,solicitud,seguimiento,registro,parte,reclamação,encomenda,fatura,caso,rastreio,reclamo,ordine,fattura,prenotazione,spedizione,contatore,segnalazione,caso,verbale,ricorso,zaak,klacht,melding,bestelling,factuur,boeking,pakket,zending,aanvraag,bezwaar,schade,order,sprawa,sprawy,sprawie,sprawę,szkoda,szkody,zgłoszenie,zgłoszenia,reklamacja,reklamacji,zamówienie,faktura,faktury,fakturę,rezerwacja,przesyłka,licznik,wniosek,decyzja,decyzji"},
	{PolicyRef,
		"soat,afiliada,afiliado,código de asegurado,rlv,bausparvertrag,police,mitgliedsnummer,id card number,policy number,policy no,policy id,policy #,policy ref,policy reference,group number,group no,group id,member id,member number,member no,membership number,membership no,membership id,subscriber id,subscriber number,certificate number,certificate no,plan id,plan number,coverage number,warranty number,contract number,contract no,contract id,insurance number,insurance id,rx group,rxgrp,rxbin,bin number,pensioner number," +
			"versicherungsnummer,versicherungs-nr,versicherungsschein-nr,versicherungsscheinnummer,versicherungsschein,vers.-nr,vers-nr,policennummer,policen-nr,police nr,polizzennummer,polizzen-nr,polizze nr,polizze,vertragsnummer,vertrags-nr,vertrag nr,vsnr,versichertennummer,versicherten-nr,mitgliedsnummer,mitglieds-nr," +
			"numéro de police,police n°,police no,n° de police,contrat n°,numéro de contrat,n° de contrat,numéro d'adhérent,n° d'adhérent,numéro d'assuré,n° adhérent,numéro d'adhésion," +
			"número de póliza,póliza,póliza nº,nº de póliza,póliza número,número de contrato,contrato nº,número de asegurado,número de socio,nº de socio,tarjeta sanitaria," +
			"número da apólice,apólice,apólice nº,apólice n.º,número de apólice,número do contrato,contrato n.º,carteirinha,número da carteirinha,número de beneficiário,número de sócio," +
			"numero di polizza,numero polizza,polizza n,polizza n.,polizza,polizza nr,contratto n,contratto n.,numero contratto,numero di contratto," +
			"polisnummer,polisnr,polis,contractnummer,lidnummer,verzekeringsnummer,verzekerdennummer,relatienummer,lidmaatschapsnummer," +
			"numer polisy,nr polisy,polisa nr,polisy nr,polisę nr,polisa,numer umowy,nr umowy,umowa nr,umowy nr,umowę nr,numer ubezpieczenia",
		"policy,group,member,subscriber,certificate,contract,membership,plan,police,vertrag,contrat,adhérent,contrato,póliza,apólice,contratto,polis,contract,polisy,polisę,umowa,umowy,umowę,warranty"},
	{Account,
		"account number,account no,account id,account #,acct,acct no,acct number,acct #,a/c,a/c no,customer number,customer no,customer id,customer ref,customer reference,client number,client id,client no,loan number,loan no,loan id,mortgage number,mortgage account,checking account,savings account,card ending,card ending in,ending in,account ending,account ending in,ending,cards ending,user id,username,user name,login,login id,patient id,patient number,sort code,sort-code,wallet id,iban ending,card number,card no,routing number,swift code,gamertag,premise number,supply number,service account,service account number,utility account,rewards number,frequent flyer,frequent flyer number,loyalty number,rent account,tenancy reference,tenancy number,council tax account," +
			"kundennummer,kunden-nr,kundennr,kd-nr,kdnr,kundenkonto,konto,kontonummer,konto-nr,kto-nr,kto,ktonr,kreditkonto,darlehensnummer,darlehens-nr,vertragskonto,vertragskontonummer,mandatsreferenz,bankleitzahl,blz,depotnummer,depot-nr,benutzername,bg-nummer,bg-nr,bedarfsgemeinschaft,beitragsnummer,beitragskonto," +
			"numéro de compte,compte n°,n° de compte,compte no,numéro client,n° client,numéro de client,client n°,référence client,numéro d'allocataire,n° allocataire,n° d'allocataire,numéro allocataire,numéro fiscal,numéro de prêt,identifiant," +
			"número de cuenta,cuenta nº,cuenta número,nº de cuenta,número de cliente,cliente nº,nº de cliente,número de préstamo,clabe,usuario," +
			"número da conta,conta nº,conta n.º,conta corrente,conta,agência,número de cliente,cliente n.º,código do cliente,número do cliente,unidade consumidora,instalação,código de instalação,número da instalação,matrícula," +
			"numero di conto,conto n,conto n.,numero conto,conto corrente,conto corrente n,codice cliente,numero cliente,cliente n,cliente n.,numero di cliente,codice utente,numero utenza,utenza," +
			"rekeningnummer,rekening nr,klantnummer,klantnr,klant-id,klantid,leningnummer,debiteurnummer,debiteurennummer,gebruikersnaam," +
			"numer konta,nr konta,konto nr,rachunek nr,numer rachunku,nr rachunku,rachunku nr,numer klienta,nr klienta,klient nr,numer płatnika,identyfikator,numer pożyczki,numer kredytu,numer ewidencyjny",
		"account,customer,loan,mortgage,kunde,darlehen,compte,client,allocataire,cuenta,préstamo,cliente,conto,rekening,klant,lening,rachunek,rachunku,klienta,card,wallet,depot"},
	{NationalID,
		"ausweis,personalnummer,alien number,prisoner,prisoner number,prison number,cuil,cuit,c.i,ci,carnet,carnet de identidad,curp,ssn,social security,social security number,social security no,ss number,itin,tin,taxpayer id,taxpayer number,tax id,tax identification number,tax file number,tfn,sin,social insurance number,passport,passport number,passport no,passport #,driver's license,drivers license,driver license,driver's licence,driving licence,driving license,driver's license number,drivers license number,driving licence number,driving license number,licence number,license number,licence no,license no,license #,dl,dl number,dl no,state id,id card,identity card,identity card number,national id,national id number,national insurance number,national insurance no,ni number,nino,nhs number,nhs no,medicare number,medicare no,medicare id,medicare card,medicaid number,medicaid id,medicaid no,green card,alien number,alien registration number,a-number,a number,uscis number,visa number,residence permit,residence permit number,npi,dea number,dea,mbi,bar number,bar no,veteran id,va file number,inmate number,inmate id,brp," +
			"steuer-id,steuer-identifikationsnummer,steueridentifikationsnummer,steuer-idnr,idnr,steuernummer,steuer-nr,st.-nr,sozialversicherungsnummer,sv-nummer,sv-nr,svnr,rentenversicherungsnummer,rv-nummer,personalausweis,personalausweisnummer,ausweisnummer,ausweis-nr,perso,reisepass,reisepassnummer,reisepass-nr,passnummer,pass-nr,führerschein,führerscheinnummer,führerschein-nr,krankenversicherungsnummer,krankenversichertennummer,kvnr,ahv-nummer,ahv-nr,aufenthaltstitel," +
			"numéro de sécurité sociale,n° de sécurité sociale,sécurité sociale,nir,numéro de sécu,n° sécu,passeport,passeport n°,numéro de passeport,carte d'identité,carte nationale d'identité,cni,cni n°,permis de conduire,numéro de permis,permis n°,titre de séjour,carte vitale,numéro national,registre national," +
			"dni,nie,nif,cif,pasaporte,pasaporte nº,número de pasaporte,carné de conducir,permiso de conducir,número de la seguridad social,seguridad social,nº de afiliación,número de afiliación,curp,rfc,ine,nss,tarjeta de residencia,tie,cédula,cédula de identidad,rut," +
			"cpf,cnpj,rg,pis,nis,cnh,título de eleitor,passaporte,número do passaporte,cartão de cidadão,cartão do cidadão,bilhete de identidade,nif,niss,número de utente,nº de utente,utente,carteira de identidade,carteira de motorista,carta de condução,cns,cartão sus," +
			"codice fiscale,c.f,cf,partita iva,carta d'identità,carta di identità,passaporto,passaporto n,patente,patente n,patente di guida,tessera sanitaria,numero di passaporto,permesso di soggiorno," +
			"bsn,burgerservicenummer,sofinummer,paspoort,paspoortnummer,rijbewijs,rijbewijsnummer,identiteitskaart,id-kaart,rijksregisternummer,rijksregister,v-nummer,vreemdelingennummer," +
			"pesel,nip,regon,dowód osobisty,numer dowodu,nr dowodu,dowód,dowodu,paszport,paszportu,numer paszportu,nr paszportu,prawo jazdy,numer prawa jazdy,karta pobytu,dowodu osobistego",
		"licence,license,utr"},
	{Vehicle,
		"patente,matrícula del coche,cédula verde,vin,vin number,chassis number,chassis no,license plate,licence plate,number plate,plate,plate number,plate no,registration plate,vehicle registration,reg,registration,license plate number,tag number,kennzeichen,amtliches kennzeichen,autokennzeichen,kfz-kennzeichen,fahrgestellnummer,fin,fahrzeug-identifizierungsnummer,immatriculation,immatriculé,immatriculée,plaque,plaque d'immatriculation,numéro d'immatriculation,numéro de châssis,matrícula,placa,placas,placa nº,bastidor,número de bastidor,número de chasis,chassi,placa do veículo,targa,targato,targata,telaio,numero di telaio,kenteken,kentekennummer,chassisnummer,numer rejestracyjny,nr rejestracyjny,rejestracja,tablica rejestracyjna,tablice rejestracyjne,nr rej,numer vin,nr vin,o numerze rejestracyjnym",
		"vehicle,car"},
	{Phone,
		"durchwahl,extension,ext,interno,anexo,anexo telefónico,ramal,poste,toestel,wew,dw",
		"phone,telephone,tel,fax"},
	{Medical,
		"mrn,medical record number,medical record no,medical record,patient record number,chart number,hospital number,hospital no,rx number,rx #,prescription number,prescription no,rx no,patientennummer,patienten-nr,fallnummer der klinik,numéro de patient,ipp,número de historia clínica,historia clínica,nhc,número de paciente,prontuário,número do prontuário,cartella clinica,cartella clinica n,patiëntnummer,patientnummer,numer pacjenta,nr historii choroby,icd,icd code,diagnosis code",
		"chart,prescription"},
	{Financial,
		"iban,bank details,routing no,aba,aba number,aba routing number,card,credit card,debit card,visa,mastercard,amex,american express,kreditkarte,kreditkartennummer,kartennummer,ec-karte,carte bancaire,carte bleue,carte n°,numéro de carte,tarjeta,tarjeta de crédito,tarjeta de débito,número de tarjeta,cartão,cartão de crédito,número do cartão,carta di credito,carta di debito,numero di carta,creditcard,creditcardnummer,pasnummer,kaartnummer,karta,karty,numer karty,nr karty,rib,wallet address,btc,bitcoin,ethereum,eth,cvv,cvc,pin,pix,chave pix,check number,cheque number,check no,cheque no,check #",
		"pan"},
}

// cues maps the key of a word or phrase to what it announces. It is made when
// the first playbook is read.
var cues = sync.OnceValue(func() map[uint64]cue {
	m := map[uint64]cue{}
	for _, c := range slices.Concat(cueWords, moreCueWords, cueForms) {
		for i, list := range []string{c.strong, c.weak} {
			for phrase := range strings.SplitSeq(list, ",") {
				addCue(m, strings.TrimSpace(phrase), cue{c.kind, i == 0})
			}
		}
	}
	return m
})

func addCue(m map[uint64]cue, phrase string, c cue) {
	folded := lex.Fold(phrase).S
	key, n := uint64(0), 0
	for _, t := range lex.Split(folded, nil) {
		switch {
		case folded[t.From:t.To] == ".":
			continue // as the reader passes over it behind an abbreviation
		case n == 0:
			key = t.Key
		default:
			key = lex.Join(key, t.Key)
		}
		n++
	}
	if n == 0 {
		return
	}
	if old, ok := m[key]; !ok || c.strong && !old.strong {
		m[key] = c
	}
}

// numberWords say that a number follows: No., Nr., n°, numéro.
const numberWords = " number numbers no nos num nr nrs nº n° n o nro núm numero número numéro numer nummer nummern numeru numerem numerze numerami números numeri № id ids code # ref reference ending"

// joiners may stand between the cue and its value.
const joiners = " lauten sont sono são sind zijn są son sería serait is was are were be of the a to as with in for under my our your their his her lautet lautete war ist est était es era é foi è era jest to brzmi was van de del della do da das den der die des du di ending finishing hereinafter mit avec con com met z o oraz and und et y e i en the unter sous bajo sob sotto onder pod "
