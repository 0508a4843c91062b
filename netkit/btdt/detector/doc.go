// Package detector reaches detectors of the author's own for the scrubber of package
// btdt: [Address] is a server that speaks the POST /analyze of Presidio's analyzer, and
// [Command] is a program that reads a line of JSON for each text and writes one back.
//
//	d, err := detector.NewAddress("http://127.0.0.1:5002", detector.AddressConfig{})
//	s := btdt.Scrubber{Detectors: []btdt.Detector{d}}
//	result, err := s.Scrub(ctx, playbook)
//
// A server gets {"text", "language"}, a program {"path", "text", "language"}. Both
// answer with a list of findings, each
//
//	{"entity_type": "PERSON", "start": 4, "end": 14, "score": 0.85}
//
// with start and end in code points of the text, or, for models that cannot count,
//
//	{"entity_type": "PERSON", "text": "Anna Quill"}
//
// which is looked for in the text: every place counts, and a quotation that is in no
// text is dropped and counted ([Address.Missed], [Command.Missed]). Without a score a
// finding is a question to the author. Types are those of btdt or of Presidio (see
// types.go); organisations, places, dates, nationalities and links are left out, and an
// unknown type is another identifier.
//
// An answer has at most 4 MiB and 1000 findings and takes at most 10 seconds; a program has a minute more
// for its first one, in which it may load a model. Redirects are refused, and proxies of
// the environment are not used. Errors never repeat a text or an answer. Answers are
// remembered, so that the same text is sent once.
package detector
