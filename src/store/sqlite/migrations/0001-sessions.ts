/**
 * The first schema. What SQL alone does not say:
 *
 * - `events.place` is session × 2^32 + seq (`placeOf`): one B-tree holds the log in order and needs no second index for
 *   it. An append writes as few pages as it can, since each costs as much as much computing: an event's row, its id and
 *   its row in `uncovered`. Counts of lanes are written now and then: `sessions.counted` is the seq through which they
 *   hold, the few events after it are counted when read. Those of an isolation stand on the row of its root branch.
 * - Each event is either raw for its lane, with a row in `uncovered`, or has one in `covered`: together they are the
 *   index of a lane's events. `uncovered` is in the order the root's prompt reads it; `under` is the live root view the
 *   event lies in, 0 for none. A view reads this table and the live records, never the history.
 * - Ids and names that come from a model or a tool are kept as JSON strings: a lone surrogate survives in one.
 * - Whatever a row says of coverage is derived by the functions of src/coverage from the records; SQL decides nothing.
 */
export const migration0001 = `
CREATE TABLE sessions (
  session INTEGER PRIMARY KEY,
  app TEXT NOT NULL,
  user TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at TEXT NOT NULL,
  lineage TEXT,
  counted INTEGER NOT NULL,
  UNIQUE (app, user, name)
) STRICT;

CREATE TABLE lanes (
  lane INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  isolation TEXT NOT NULL,
  branch TEXT NOT NULL,
  root INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  events INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  first_seq INTEGER,
  first_user_seq INTEGER,
  isolation_events INTEGER NOT NULL,
  isolation_tokens INTEGER NOT NULL,
  UNIQUE (session, isolation, branch)
) STRICT;

CREATE TABLE invocations (
  session INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  id TEXT NOT NULL,
  lane TEXT NOT NULL,
  lanes TEXT NOT NULL,
  opened_by INTEGER,
  state TEXT NOT NULL,
  lease_expires_at REAL,
  PRIMARY KEY (session, ordinal)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX invocations_id ON invocations (session, id);

CREATE TABLE events (
  place INTEGER PRIMARY KEY,
  session INTEGER GENERATED ALWAYS AS (place >> 32) VIRTUAL,
  seq INTEGER GENERATED ALWAYS AS (place & 4294967295) VIRTUAL,
  id TEXT NOT NULL,
  lane INTEGER NOT NULL,
  invocation INTEGER NOT NULL,
  exchange INTEGER NOT NULL,
  pinned INTEGER NOT NULL,
  reply TEXT,
  joins TEXT,
  lane_ordinal INTEGER NOT NULL,
  isolation_ordinal INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  hash TEXT NOT NULL,
  event TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX events_id ON events (session, id);
CREATE INDEX events_exchange ON events (session, exchange) WHERE exchange <> seq;
CREATE INDEX events_pinned ON events (session) WHERE pinned = 1;
CREATE INDEX events_reply ON events (lane, invocation, reply) WHERE reply IS NOT NULL;

CREATE TABLE obligations (
  session INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  about TEXT NOT NULL,
  lane INTEGER NOT NULL,
  root INTEGER NOT NULL,
  invocation INTEGER NOT NULL,
  exchange INTEGER NOT NULL,
  long_running INTEGER NOT NULL,
  answered_by INTEGER,
  is_open INTEGER GENERATED ALWAYS AS (answered_by IS NULL) VIRTUAL,
  PRIMARY KEY (session, seq, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX obligations_id ON obligations (session, id, kind, is_open, lane, seq, position);
CREATE INDEX obligations_open ON obligations (lane, kind, seq, position) WHERE answered_by IS NULL;
CREATE INDEX obligations_lasting ON obligations (root, seq, position)
  WHERE answered_by IS NULL AND (kind = 'ask' OR long_running = 1);

CREATE TABLE records (
  record INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  id TEXT NOT NULL,
  lane INTEGER NOT NULL,
  root INTEGER NOT NULL,
  root_view INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  undone INTEGER NOT NULL,
  live INTEGER NOT NULL,
  under INTEGER NOT NULL,
  covers TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX records_id ON records (session, id);
CREATE INDEX records_seen ON records (root, first) WHERE live = 1 AND under = 0;
CREATE INDEX records_lane ON records (lane, first) WHERE live = 1 AND root_view = 0;
CREATE INDEX records_touching ON records (root, last) WHERE live = 1 OR undone = 1;

CREATE TABLE supersessions (
  superseded INTEGER NOT NULL,
  record INTEGER NOT NULL,
  PRIMARY KEY (superseded, record)
) STRICT, WITHOUT ROWID;

CREATE TABLE uncovered (
  root INTEGER NOT NULL,
  under INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  lane INTEGER NOT NULL,
  undone INTEGER,
  undone_view INTEGER,
  PRIMARY KEY (root, under, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX uncovered_lane ON uncovered (lane, seq) WHERE under <> 0;

CREATE TABLE covered (
  lane INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (lane, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE attempts (
  attempt INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  id TEXT NOT NULL,
  lane INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX attempts_id ON attempts (session, id);
CREATE INDEX attempts_session ON attempts (session);
CREATE INDEX attempts_lane ON attempts (lane);

CREATE TABLE leases (
  lane INTEGER PRIMARY KEY,
  attempt INTEGER NOT NULL UNIQUE,
  holder TEXT NOT NULL,
  expires_at REAL NOT NULL
) STRICT;
`;
