// Package match plays matches of virus or Ataxx between two settings of the
// search, and says what they prove.
//
// Every opening is played twice, with colours exchanged, and the two games make
// a pair: what an opening gives to the side that begins cancels out. So pairs are
// what is counted, by the points that the first player has of them, and their
// spread says how sure the result is.
package match
