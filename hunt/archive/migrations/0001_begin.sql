-- What the hunt is: its name, its archive's name, since when, what was asked of it.
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

-- Piece sets, by job.Set.ID.
CREATE TABLE sets (
  id      TEXT PRIMARY KEY,
  content TEXT NOT NULL  -- job.Set as JSON
) STRICT;

-- Series of jobs. Plan and totals are JSON that the coordinator knows.
CREATE TABLE campaigns (
  number INTEGER PRIMARY KEY,
  kind   TEXT NOT NULL,
  what   TEXT NOT NULL,     -- in words
  plan   TEXT NOT NULL,     -- how jobs are made
  totals TEXT NOT NULL,     -- what they have come to so far
  next   INTEGER NOT NULL,  -- the stream of the next job
  over   INTEGER NOT NULL,  -- 1 when no more jobs are made
  open   INTEGER NOT NULL DEFAULT 0,
  queued INTEGER NOT NULL DEFAULT 0,
  done   INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  best   INTEGER NOT NULL DEFAULT -1
) STRICT;

CREATE TABLE jobs (
  id         TEXT PRIMARY KEY,     -- job.Job.ID
  campaign   INTEGER NOT NULL REFERENCES campaigns (number),
  arm        INTEGER NOT NULL,     -- the way to make boards that was chosen, -1 for none
  state      INTEGER NOT NULL,     -- 0 open, 1 queued, 2 done, 3 failed
  content    TEXT NOT NULL,        -- job.Job as JSON; empty for a job that is done and found no new board
  made       INTEGER NOT NULL,     -- milliseconds since 1970, as all times
  queued     INTEGER NOT NULL DEFAULT 0,
  done       INTEGER NOT NULL DEFAULT 0,
  tries      INTEGER NOT NULL DEFAULT 0,  -- results that were refused or tell of an error
  worker     TEXT NOT NULL DEFAULT '',
  version    TEXT NOT NULL DEFAULT '',
  seconds    REAL NOT NULL DEFAULT 0,
  nodes      INTEGER NOT NULL DEFAULT 0,
  iterations INTEGER NOT NULL DEFAULT 0,
  score      INTEGER NOT NULL DEFAULT -1, -- of its best board
  error      TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX jobs_by_state ON jobs (state, campaign) WHERE state < 2;

-- Every choice of a way to make boards, and what it was made by.
CREATE TABLE choices (
  job    TEXT PRIMARY KEY,
  arm    INTEGER NOT NULL,
  shares TEXT NOT NULL     -- of all arms at that moment, as JSON
) STRICT;

-- Distinct boards. Two that look alike, also when one is turned, are one.
CREATE TABLE boards (
  id      TEXT PRIMARY KEY,
  set_id  TEXT NOT NULL,
  score   INTEGER NOT NULL,
  breaks  INTEGER NOT NULL,
  clues   INTEGER NOT NULL,  -- of the five of the official puzzle; of other sets those of the job
  corners TEXT NOT NULL,     -- its family: numbers of the corner pieces from 1, clockwise, the least first
  codes   BLOB NOT NULL,     -- by cell 4*piece + rotation, two bytes each, the low one first
  job     TEXT NOT NULL,     -- that found it first; empty for a board that was brought in
  made    TEXT NOT NULL,     -- the command that makes it again, or where it came from
  worker  TEXT NOT NULL,
  version TEXT NOT NULL,
  found   INTEGER NOT NULL,
  seen    INTEGER NOT NULL   -- times that it was found
) STRICT;
CREATE INDEX boards_by_score ON boards (set_id, score DESC, found);
