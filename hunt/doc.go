// Package hunt lets many machines work on one question for months and loses
// nothing: it makes jobs, hands them out over a queue, and takes in what comes
// back.
//
// The archive is what is known; the queue is only the road. A coordinator writes a
// job into the archive before it offers it, and a result before it lets go of it,
// so either can die at any moment: jobs that are open are offered again, results
// that come again are not counted again. Nothing that a worker says of a board is
// believed; each is scored on arrival.
package hunt
