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
// firm carries too, illness told in everyday words, addresses without a number, and
// references that nothing announces.
//
// How it works, in one pass of four parts:
//
//   - The text is folded (entities, tags, emphasis, escapes, hidden characters,
//     look-alike letters, digits of other scripts) and split into words; a table
//     tells the classes of a word: given name, place, ordinary word of a language,
//     what announces a reference.
//   - Numbers with a form or check digits of their own are taken: mail and network
//     addresses, IBAN, cards, national numbers, telephone numbers.
//   - A tagger labels the words: a linear model (structured averaged perceptron, 20
//     labels, weights of one byte) over a word, its neighbours and its classes. Rows
//     of patterns are features of it; a few decide alone. Each type has one
//     threshold.
//   - A name found once is taken in every field, whatever its letters, in labels and
//     user names too.
//
// The result is read again until nothing more is found. [Finding] names the form,
// the row, the tagger or the memory that found it.
//
// The tagger is trained on labelled sentences and playbooks in eight languages
// (English, German, French, Spanish, Portuguese, Italian, Dutch, Polish) written for
// this project, and on copies with other and invented names. [Notice] tells where
// the word lists come from. go generate makes word table and weights again, byte for
// byte, from internal/train, a module of its own; nothing else is used.
//
// Three kinds of data are kept apart. Training: internal/train/data, with sets 1 to 9
// and 11, which earlier versions called unseen. Development: internal/train/development,
// sets 10 and 12, by writers who did not see the scrubber; they were looked at, and
// the thresholds were set on them. Blind: none yet, so there is no headline figure.
// On the development sets:
//
//	names, recall and precision                    97.9, 91.8 % of 422
//	references                                     97.1 % of 102
//	policies, accounts, mail, telephone, network,
//	  bank, national and other numbers             98.8 % of 241
//	vehicles, dates of birth, addresses            94.1, 100.0, 100.0 %
//	illness and treatment, recall and precision    81.8, 74.4 % of 192
//	all parts that must go                         95.0 % of 1011
//	parts that must stay, touched                  4.7 % of 1856
//	clean texts changed                            22 of 125
//
// On general English texts that are no playbooks and were not trained on, names are
// covered to 88 % in news and encyclopedias (Wikigold) at 49 % precision, to 71
// and 53 % in social media (WNUT 2017), to 98 and 75 % on the synthetic set of
// Presidio, whose errors were looked at: where no playbook is told of, firms and
// places are often taken for people.
//
// Known misses: names of a single word that the lists do not know, at the start
// of a sentence or in small letters; names that are ordinary words and stand alone;
// illness that no word announces. Known false alarms: firms, schools and streets
// with the name of a person, unknown capitalised words at the start of a sentence,
// treatments told in general.
package btdt
