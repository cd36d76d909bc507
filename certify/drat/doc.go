// Package drat checks proofs that a formula has no model. It knows no solver: a
// proof is a list of steps that anybody may have written, and each is tested
// before it is believed.
//
// The format is DRAT (Wetzler, Heule, Hunt: "DRAT-trim", 2014). A step adds a
// lemma or deletes a clause, and the proof ends with the empty clause.
//
// # What is believed
//
// The checker holds a set S of clauses, at first those of the formula. All that
// it does keeps one promise: if the formula has a model, so has S. S with the
// empty clause in it has none, and neither has then the formula.
//
// Unit propagation: a literal that the clauses of S force at top level, without
// an assumption, is put into S as a clause of its own. It follows from S.
//
// A lemma is RUP (reverse unit propagation) when unit propagation finds a
// conflict in S after all its literals are made false. It follows from S.
//
// A lemma is RAT (resolution asymmetric tautology) on its pivot, the first
// literal as it is written, when for each clause C of S that holds the negated
// pivot, the literals of the lemma and of C without that one are together RUP.
// It need not follow from S, but a model of S that breaks it becomes one of S
// and the lemma by turning the pivot true: a clause that this could break has,
// by the test, another true literal. RUP is tried first.
//
// Deletion: S with a clause less has all the models it had. Not to carry out a
// deletion leaves S as it is, which keeps the promise as well: more clauses make
// more lemmas RUP, fewer RAT, and both tests are always made against all of S.
// So a proof may be refused for a deletion that was ignored, but never
// accepted wrongly.
//
// # Which deletions are ignored
//
// As in the default mode of DRAT-trim, what is forced at top level stays so:
// the deletion of a unit clause is ignored, and the deletion of the clause that
// forced a literal leaves that literal in S. Solvers write such deletions and
// do not mean them. A clause with a literal that is forced true, a clause of
// two that are each other's negation, and one that says no more than a forced
// literal are not kept in the first place: a model of the rest of S is a model of
// them. Their deletion, and that of a clause that never was there, is ignored
// and counted. A clause that was added twice can be deleted twice.
//
// The order of literals does not matter, save for the pivot; a literal that
// stands twice in a clause counts once.
//
// # Proofs
//
// Binary: a step is the byte 'a' (add) or 'd' (delete), its literals as
// 2*variable, +1 when negated, in 7-bit groups, low group first, with the top
// bit set in all but the last, and a 0: as drat-trim reads and CaDiCaL writes it.
//
// Text: a step is its literals in decimal and a 0, with a d before it if it is a
// deletion; blanks and line ends part the words; a line whose first word begins
// with c is a comment. A proof without deletions is in the RUP format.
//
// A proof may use variables that the formula has not (extension variables), up to
// MaxVariable. They cost memory one by one, whatever their numbers.
//
// Check stops reading at the step that makes the empty clause follow by unit
// propagation: no byte after it matters. Before it, each byte must belong to a step.
package drat
