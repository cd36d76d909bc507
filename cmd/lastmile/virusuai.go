package main

import (
	"lastmile/game/uai"
	"lastmile/game/virus"
)

type virusUAICommand struct {
	Rules string `default:"ataxx" placeholder:"GAME" help:"The game, virus or ataxx, until the runner sets the option Rules."`
}

func (c *virusUAICommand) Run(t *terminal) error { return serve(t, uai.UAI, c.Rules) }

type virusUGICommand struct {
	Rules string `default:"virus" placeholder:"GAME" help:"The game, virus or ataxx, until the runner sets the option Rules."`
}

func (c *virusUGICommand) Run(t *terminal) error { return serve(t, uai.UGI, c.Rules) }

// serve obeys a match runner until it has no more to say. A signal ends it as the
// word quit does.
func serve(t *terminal, protocol uai.Protocol, rules string) error {
	o := uai.Options{Protocol: protocol, Name: "lastmile " + version, Settings: virus.Strong}
	switch rules {
	case virus.Virus.String():
		o.Rules = virus.Virus
	case virus.Ataxx.String():
		o.Rules = virus.Ataxx
	default:
		return badf("--rules %q, want %v or %v", rules, virus.Virus, virus.Ataxx)
	}
	ctx, stop := t.listen()
	defer stop()
	err := uai.Serve(ctx, t.in, t.out, o)
	if ctx.Err() != nil {
		return nil
	}
	return err
}
