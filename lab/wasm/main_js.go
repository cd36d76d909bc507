// The engine of the lab for browsers. It sets globalThis.lastmile, a function of
// a method's name and its parameters in JSON, which returns [answer, ""] or
// ["", error], and tells events to globalThis.lastmileEvent.
package main

import (
	"encoding/json"
	"syscall/js"

	"lastmile/lab/engine"
)

func main() {
	global := js.Global()
	e := engine.New(func(event string, data any) {
		if text, err := json.Marshal(data); err == nil {
			global.Call("lastmileEvent", event, string(text))
		}
	})
	global.Set("lastmile", js.FuncOf(func(_ js.Value, args []js.Value) any {
		answer, err := e.Call(args[0].String(), []byte(args[1].String()))
		if err != nil {
			return []any{"", err.Error()}
		}
		return []any{string(answer), ""}
	}))
	global.Call("lastmileReady")
	select {}
}
