// Package btdt is the playbook ("Been There, Done That") format of the agent
// network: what a file may hold, how it is read, its canonical form and hash,
// and the scrubber that keeps personal data out of what is filed.
//
// Start with [Parse], which reads a file strictly and reports every problem
// with its place. [Scrub] then strips what identifies someone and tells what it
// found; [Check] only tells. A file may be filed only when Check finds nothing.
// [Playbook.Metadata] is the record that a registry receives: the content itself
// never leaves the agent's machine. Package evaluate measures the scrubber on
// labelled playbooks of your own.
//
// # Model card
//
// No scrubber is perfect. Before you file a playbook read by eye: names in small
// letters or of one word that is also an ordinary word, nicknames, names that a
// firm carries too, conditions in words of every day ("burning in both feet"),
// addresses without a number, and references that nothing announces.
//
// How it works. Each text is folded (hidden characters, digits of other scripts,
// accents) and read in layers: network and mail addresses; identifiers by form
// and check digit; dates of birth; references by the word before them in eight
// languages (English, German, French, Spanish, Portuguese, Italian, Dutch,
// Polish); telephone and long numbers; what must stay (laws, cases,
// organisations, places, roles); names, addresses and conditions, by rules and
// by a tagger. A name found once is found in the whole playbook. The result is
// read again until nothing more is found. All of it is one pass a text over
// tables; no pattern can blow up.
//
// Words know their languages: an ordinary word is one of the language of its
// text alone, since most names are a word somewhere.
//
// The tagger is a linear model (structured averaged perceptron, 15 labels, weights
// of one byte, 3.0 MB, embedded). Of the features of a word and its neighbours
// those that weigh most in a first training, up to 158,400, have a row of weights
// each; the model is the mean of three trainings over them. It is
// trained on some 47,300 labelled sentences and fields written for this project in
// the eight languages, hundreds of whole playbooks among them, on 14,200 sentences of
// openly licensed manuals in which nobody is named, on sentences that grammars put
// together, and on copies with other and invented names and with
// placeholders. Each single word needs a margin over the best labelling without a
// name; the margin is larger for words that are a place, a firm or an ordinary word
// as well. Word lists come from packages named in NOTICE. go generate makes word
// table and weights again, byte for byte, from the files in internal/train alone;
// nothing else is used.
//
// Measured with the evaluate package on sets that never joined the training lines,
// by writers who did not see the scrubber: unseen-*.jsonl in evaluate/testdata,
// which netctl btdt eval reads. "Life" are 1,991 lines and 420 whole playbooks as
// people write them (unseen-4 to 12, unseen-books-4 to 12); "traps" 588 lines that
// trap in nearly every one, a third of them without English (unseen-1 to 3). A mark
// is found when all its letters and digits are covered.
//
//	                                       life     traps
//	names, recall                          99.1 %   92.8 %
//	names, precision                       98.5 %   93.1 %
//	references with a cue word             99.6 %    100 %
//	policy numbers, accounts, mail,
//	  telephone, network, cards, IBAN,
//	  national ids                          100 %    100 %
//	vehicles, dates of birth         98.9, 96.6 %    100 %
//	addresses, letters covered             98.9 %   94.7 %
//	conditions, recall                     91.6 %   92.9 %
//	conditions, precision                  93.4 %   92.9 %
//	parts that must stay, touched           0.8 %    4.3 %   of 8,232 and 703
//	clean ones changed                      2.8 %    8.0 %   22 of 775, 16 of 201
//
// Errors of these sets were looked at when rules and lists were mended, so the
// figures flatter. What was measured before anybody looked, by the versions of that
// hour, each of a writer of its own: sets 9 and 10 by the version before this one,
// sets 11 and 12 by this one, but for the last mends:
//
//	                                  9             10            11            12
//	names, recall and precision       98.9, 96.6    97.1, 94.8    98.6, 98.6    99.3, 100  %
//	references                        44 of 44      53 of 55      41 of 42      47 of 47
//	policy numbers                    10 of 10      11 of 11      8 of 8        10 of 10
//	addresses, letters                100           100           99.1          100  %
//	conditions                        86.8, 92.5    73.9, 76.9    81.3, 88.7    84.9, 87.3  %
//	parts touched                     12 of 983     40 of 1,056   7 of 1,000    10 of 800
//	clean ones changed                0 of 90       10 of 69      1 of 77       4 of 56
//
// Set 10 tells of illness in passing more than the others do. In set 12 a therapy,
// an aid or a grade of care is marked to stay, which here goes with its person.
// On the synthetic set of Presidio, which is no playbook and was not trained on:
// names 98.0 % at 86.4 %, addresses 93.5 % of letters, mail, cards, IBAN, telephone
// and network addresses 100 %.
//
// Speed is 1.1 to 1.3 MB a second on one core, 1.0 ms for a playbook of 1.2 kB
// (BenchmarkScrub).
//
// Known misses: names of a single word that the lists do not know, at the start
// of a sentence or in small letters; nicknames; names that are ordinary words
// (Hope in billing, Mark marked it) and stand alone; initials alone; conditions that
// no word announces ("three lows under 50") or that another sentence ties to a date.
// Known false alarms: firms, schools, ships, streets and villages that carry the
// name of a person and that no list has, rows of them above all; proverbial
// people (Tom, Dick and Harry are listed, others are not); capitalised words of
// languages other than English at the start of a sentence. Codes of fewer than
// five digits without a word before them and letters-only codes are missed. A
// single word of the entity is taken for the institution, even where its owner of
// that name is meant and nothing else in the playbook says so.
package btdt
