package btdt

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// found gives the parts of text that the check names, as rule:part.
func found(text string) []string {
	runes := []rune(text)
	var got []string
	for _, f := range scan("outcome", text) {
		got = append(got, f.Rule+":"+string(runes[f.Start:f.End]))
	}
	return got
}

func TestCheckFinds(t *testing.T) {
	for text, want := range map[string][]string{
		"write to jane.roe+x@mail.example.org today":  {"email:jane.roe+x@mail.example.org"},
		"jane [at] mail [dot] example, soon":          {"email:jane [at] mail [dot] example"},
		"jörg.müller＠post.de":                         {"email:jörg.müller＠post.de"},
		"ja\u200bne@mail.org\u200b":                   {"email:ja\u200bne@mail.org"},
		"é 😀 a@b.co and c@d.eu":                       {"email:a@b.co", "email:c@d.eu"},
		"call +44 (0)20 7946 0123.":                   {"phone:+44 (0)20 7946 0123"},
		"faxed to (312) 555-0187, twice":              {"phone:(312) 555-0187"},
		"Telefon 030/1234567":                         {"phone:030/1234567"},
		"ring 312.555.0187 at noon":                   {"phone:312.555.0187"},
		"account 850 0123 4567":                       {"long_number:850 0123 4567"},
		"claim KH-2023-998877-A":                      {"long_number:2023-998877"},
		"reference EXK7731902":                        {"long_number:7731902"},
		"tracking 9407 1000 0000 0000 0000 00":        {"long_number:9407 1000 0000 0000 0000 00"},
		"1\u200b2\u200b3\u200b4\u200b5\u200b6\u200b7": {"long_number:1\u200b2\u200b3\u200b4\u200b5\u200b6\u200b7"},
		"full-width １２３４５６７":                          {"long_number:１２３４５６７"},
		"Arabic ٠١٢٣٤٥٦ digits":                       {"long_number:٠١٢٣٤٥٦"},
		"dashes 123–45—6789":                          {"long_number:123–45—6789"},
		"split 123\n456\t7890":                        {"long_number:123\n456\t7890"},
		"invoice 2024-03-12-998877":                   {"long_number:2024-03-12-998877"},
		"2024-03-12 then 1234 5678":                   {"long_number:1234 5678"},
		"not a date 2024-13-45":                       {"long_number:2024-13-45"},
		"§ 12345678":                                  {"long_number:12345678"},
		"host 192.168.100.20":                         {"long_number:192.168.100.20"},
		"7 digits 1234567, 6 are not: 123456":         {"long_number:1234567"},
	} {
		if diff := cmp.Diff(want, found(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// What a clean playbook says must pass, or people learn to work around the check.
func TestCheckKeeps(t *testing.T) {
	for _, text := range []string{
		"Filed on 2024-03-12. 30 days later, on 12.04.2024, they paid.",
		"Filed on 2024-03-12 30 days after the letter.",
		"At 12:00 2024-03-12 they called back.",
		"The years 2019-2024 and 2021 – 2023 were covered.",
		"Paid 1,250,000 dollars, then $1 250 000 and 1.250.000 EUR.",
		"29 CFR 2560.503-1 and 45 CFR 164.524; § 2560.503-1.",
		"Ohio Admin. Code 3901-1-54, Regulation (EU) 2016/679, ISO 9001.",
		"Forms 1040, 1099-A and CMS-1500 within 30-60 days of 03/2024.",
		"Pub. L. 111-148 gave 5 @ 3.50 each.",
		"[NAME_1] sent [CASE_REF_2] to [EMAIL].",
		"",
	} {
		if got := found(text); got != nil {
			t.Errorf("%q: got %q, want nothing", text, got)
		}
	}
}

func TestCheckNamesThePath(t *testing.T) {
	p := good()
	p.Title = "é a@b.co"
	p.Steps = append(p.Steps, "call +1 312 555 0187")
	p.WhatFailed = []string{"12345678"}
	want := []Finding{
		{"email", "title", 2, 8, "EMAIL", 1, "[EMAIL]"},
		{"phone", "steps[2]", 5, 20, "PHONE", 1, "[PHONE]"},
		{"long_number", "what_failed[0]", 0, 8, "OTHER_ID", 1, "[OTHER_ID]"},
	}
	if diff := cmp.Diff(want, Check(p)); diff != "" {
		t.Errorf("findings differ (-want +got):\n%s", diff)
	}
	if got := Check(good()); got != nil {
		t.Errorf("clean playbook: got %v, want none", got)
	}
}

// Every text field is looked at: none can be used to smuggle a number out.
func TestCheckCoversEveryField(t *testing.T) {
	for _, f := range textFields {
		p := good()
		*f.at(&p) = "555 0187 22"
		if got := Check(p); len(got) != 1 || got[0].Path != f.name {
			t.Errorf("%s: got %v, want one finding there", f.name, got)
		}
	}
	for _, f := range listFields {
		p := good()
		*f.at(&p) = []string{"fine", "555 0187 22"}
		if got := Check(p); len(got) != 1 || got[0].Path != f.name+"[1]" {
			t.Errorf("%s: got %v, want one finding there", f.name, got)
		}
	}
}

func TestFindingOnTheWire(t *testing.T) {
	b, err := json.Marshal(Finding{"email", "title", 1, 2, "EMAIL", 1, "[EMAIL]"})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"rule":"email","path":"title","start":1,"end":2,"type":"EMAIL","score":1,"replacement":"[EMAIL]"}`
	if string(b) != want {
		t.Errorf("got %s, want %s", b, want)
	}
}

func TestMetadata(t *testing.T) {
	p := good()
	m := p.Metadata()
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	if got := CheckMetadata(m); got != nil {
		t.Errorf("got %v, want nothing found, whatever digits the hash has", got)
	}
	if m.StepCount != 2 || m.Title != p.Title || len(m.ContentSHA256) != 64 {
		t.Errorf("got %+v", m)
	}
	b, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(b, &fields); err != nil || len(fields) != 11 {
		t.Errorf("got %d fields (%v), want the 11 of a registration", len(fields), err)
	}
}

func TestMetadataRefuses(t *testing.T) {
	for path, change := range map[string]func(*Metadata){
		"title":            func(m *Metadata) { m.Title = "" },
		"category":         func(m *Metadata) { m.Category = "cooking" },
		"sub_category":     func(m *Metadata) { m.SubCategory = "a b" },
		"jurisdiction":     func(m *Metadata) { m.Jurisdiction = "Ohio" },
		"region":           func(m *Metadata) { m.Region = strings.Repeat("x", MaxRegion+1) },
		"entity":           func(m *Metadata) { m.Entity = "a\nb" },
		"status":           func(m *Metadata) { m.Status = "OPEN" },
		"time_taken_days":  func(m *Metadata) { m.TimeTakenDays = MaxDays + 1 },
		"step_count":       func(m *Metadata) { m.StepCount = 0 },
		"content_sha256":   func(m *Metadata) { m.ContentSHA256 = strings.Repeat("A", 64) },
		"scrubber_version": func(m *Metadata) { m.ScrubberVersion = "check/5550187" },
	} {
		p := good()
		m := p.Metadata()
		change(&m)
		err := m.Validate()
		if err == nil || !strings.HasPrefix(err.Error(), "btdt: "+path+" ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want one problem there", path, err)
		}
	}
	p := good()
	m := p.Metadata()
	m.Entity = "Jane, 312-555-0187"
	if got := CheckMetadata(m); len(got) != 1 || got[0].Path != "entity" {
		t.Errorf("got %v, want a finding in entity", got)
	}
}

// slowNumbers is the definition without patterns: seven digits with at most
// three spaces, dashes or underscores, or one dot, between neighbours.
func slowNumbers(text string) bool {
	run, gap := 0, ""
	for _, c := range text {
		switch {
		case c >= '0' && c <= '9':
			if run == 0 || gap == "." || len(gap) <= 3 && !strings.Contains(gap, ".") {
				run++
			} else {
				run = 1
			}
			gap = ""
			if run >= minDigits {
				return true
			}
		case strings.ContainsRune(" \t\n\f\r_-.", c):
			gap += string(c)
		default:
			run, gap = 0, ""
		}
	}
	return false
}

func FuzzCheck(f *testing.F) {
	for _, s := range []string{"a@b.co", "+1 312 555 0187", "1 2-3.4 5 6 7", "\u200b１２٣", "2024-03-12 30", "\xff1234567"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := scan("outcome", text)
		last, runes := 0, utf8.RuneCountInString(text)
		for _, x := range got {
			if x.Start < last || x.End <= x.Start || x.End > runes {
				t.Fatalf("finding %+v overlaps or lies outside %d characters", x, runes)
			}
			last = x.End
		}
		plain := fold(text).text
		if rules[2].pattern.MatchString(plain) != slowNumbers(plain) {
			t.Fatalf("pattern and definition disagree on %q", plain)
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	p := good()
	p.Steps = []string{strings.Repeat("Sent 12 letters on 2024-03-12 and waited 30 days for an answer. ", 1000)}
	b.SetBytes(int64(len(p.Canonical())))
	for b.Loop() {
		Check(p)
	}
}
