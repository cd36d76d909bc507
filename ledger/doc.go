// Package ledger exhausts the completions of a board within a budget of breaks,
// and prunes that search by LEDGER, a count of half-edges by colour.
package ledger
