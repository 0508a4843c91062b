package detector

import (
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit/btdt"
)

// typesOf lists, for each type of btdt, the entities of Presidio and of common models
// that it stands for. The names of the types of btdt mean themselves.
var typesOf = map[string]string{
	btdt.TypeName:       "PERSON PER PERSON_NAME FIRST_NAME LAST_NAME FULL_NAME USERNAME",
	btdt.TypeCaseRef:    "CASE_NUMBER DOCKET_NUMBER REFERENCE_NUMBER",
	btdt.TypePolicyRef:  "POLICY_NUMBER MEMBER_NUMBER HEALTH_INSURANCE_NUMBER",
	btdt.TypeAccount:    "ACCOUNT_NUMBER CUSTOMER_NUMBER",
	btdt.TypeMedical:    "DISEASE DISORDER SYMPTOM MEDICATION DRUG MEDICAL_CONDITION MEDICAL_TREATMENT MEDICAL_PROCEDURE",
	btdt.TypeEmail:      "EMAIL_ADDRESS",
	btdt.TypePhone:      "PHONE_NUMBER TELEPHONE_NUMBER",
	btdt.TypeAddress:    "STREET_ADDRESS POSTAL_ADDRESS STREET",
	btdt.TypeDOB:        "DATE_OF_BIRTH BIRTH_DATE BIRTHDATE",
	btdt.TypeNationalID: "US_SSN US_ITIN US_PASSPORT US_DRIVER_LICENSE UK_NHS UK_NINO ES_NIF ES_NIE IT_FISCAL_CODE IT_DRIVER_LICENSE IT_PASSPORT IT_IDENTITY_CARD PL_PESEL FI_PERSONAL_IDENTITY_CODE DE_TAX_ID SG_NRIC_FIN AU_TFN AU_MEDICARE IN_PAN IN_AADHAAR IN_PASSPORT KR_RRN PASSPORT_NUMBER DRIVER_LICENSE SOCIAL_SECURITY_NUMBER NATIONAL_ID_NUMBER",
	btdt.TypeFinancial:  "CREDIT_CARD IBAN IBAN_CODE US_BANK_NUMBER CRYPTO BANK_ACCOUNT",
	btdt.TypeVehicle:    "LICENSE_PLATE US_LICENSE_PLATE IN_VEHICLE_REGISTRATION VEHICLE_REGISTRATION",
	btdt.TypeNetwork:    "IP_ADDRESS MAC_ADDRESS",
	"":                  "ORGANIZATION ORGANISATION ORG COMPANY LOCATION LOC GPE FACILITY FAC NRP NORP NATIONALITY DATE_TIME DATE TIME AGE URL DOMAIN_NAME MISC MONEY PERCENT CARDINAL ORDINAL QUANTITY EVENT PRODUCT LAW LANGUAGE WORK_OF_ART TITLE",
}

// typeOf returns the type of an entity, and reports whether such findings are wanted:
// playbooks keep organisations, places and dates. An unknown entity is another
// identifier, so that nothing is lost.
func typeOf(entity string) (kind string, wanted bool) {
	name := strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToUpper(strings.TrimSpace(entity)))
	if rest, inside := strings.CutPrefix(name, "I_"); inside {
		name = rest // of models that label words: B-PER, I-PER
	} else if rest, begins := strings.CutPrefix(name, "B_"); begins {
		name = rest
	}
	if slices.Contains(btdt.Types(), name) {
		return name, true
	}
	for kind, names := range typesOf {
		if slices.Contains(strings.Fields(names), name) {
			return kind, kind != ""
		}
	}
	return btdt.TypeOtherID, true
}
