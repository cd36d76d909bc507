package main

import (
	"fmt"
	"strings"
	"testing"
)

// With a budget of iterations it prints the same each time.
func Example() {
	var out strings.Builder
	if err := run(&out); err != nil {
		fmt.Println(err)
	}
	first, rest, _ := strings.Cut(out.String(), "\n")
	fmt.Println(first)
	fmt.Println(strings.Fields(rest)[0], "is drawn like the others")
	// Output:
	// 442 → 451
	// diagonal is drawn like the others
}

func TestTheOperatorIsUsed(t *testing.T) {
	var out strings.Builder
	if err := run(&out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "diagonal") || strings.Contains(out.String(), "drawn      0") {
		t.Errorf("the operator was not drawn:\n%s", out.String())
	}
}
