package study

import (
	"fmt"
	"strings"
)

// Studies lists the studies in the order in which all of them run, the quick
// ones first. A new one is a file beside this one and one line here.
var Studies = []Study{
	census2x2,
	records,
	virusSpeed,
	virusEvaluation,
	virusEndgames,
	nullMove,
	selective,
	censusMoves,
	reproducible,
	sigmaCycles,
	rigidity,
	alnsCost,
	alnsPortfolio,
	alnsTemperature,
	polishDefault,
	polishCertify,
	alnsFlattening,
	alnsTightness,
	alnsLift,
	alnsRecovery,
	alnsRefill,
	beam,
	beamAblation,
	depthFirst,
	solve60s,
	solveBoards,
	solveAblation,
	ledgerSoundness,
	ledgerGrid,
	ledgerCertificates,
	ledgerSpeed,
	ledgerConditions,
	ledgerRegime,
	ledgerFinish,
	solveLong,
}

// Named returns the study of that name, or all of them for "all".
func Named(name string) ([]Study, error) {
	if name == "all" {
		return Studies, nil
	}
	names := make([]string, len(Studies))
	for i, s := range Studies {
		if s.Name == name {
			return []Study{s}, nil
		}
		names[i] = s.Name
	}
	return nil, fmt.Errorf("study %q, want all or one of %s", name, strings.Join(names, ", "))
}
