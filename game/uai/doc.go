// Package uai serves games of Ataxx and virus to other programs by two line
// protocols. UAI, the Universal Ataxx Interface, is what the match runners of
// Ataxx speak. UGI, the Universal Game Interface, is for any game: there the
// engine also tells the runner whose turn it is, when a game is over and who has
// won, so that a runner need not know the rules.
//
// A command is a line of words, and so is an answer. What cannot be obeyed is
// refused with one line, "info string error" and the reason, and changes nothing.
package uai
