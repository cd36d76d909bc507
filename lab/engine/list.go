package engine

// methods are all that a page can ask. A new one is a function in the file of
// its room and one line here.
var methods = []method{
	on("stamps", stamps),
	on("boards", boards),

	on("repair.choices", repairChoices),
	on("repair.open", openRepair),
	in("repair.step", (*repairRoom).step),
	in("repair.damage", (*repairRoom).damage),

	on("ledger.open", openLedger),
	in("ledger.step", (*ledgerRoom).step),
	on("ledger.row", rowOfLedger),

	on("wall.open", openWall),
	in("wall.halo", (*wallRoom).halo),
	in("wall.decide", (*wallRoom).decide),
	on("game.open", openGame),
	in("game.play", (*wallGame).play),
	in("game.hint", (*wallGame).hint),

	on("cycles.open", openCycles),
	in("cycles.apply", (*cyclesRoom).apply),
	in("cycles.profile", (*cyclesRoom).profile),

	on("desk.read", readDesk),
	on("desk.write", writeDesk),
	on("desk.link", linkDesk),
	on("race.orders", raceOrders),
	on("race.run", runRace),

	on("virus.open", openVirus),
	in("virus.move", (*virusRoom).move),
	in("virus.undo", (*virusRoom).undo),
	in("virus.think", (*virusRoom).think),
	in("virus.compare", (*virusRoom).compare),
}
