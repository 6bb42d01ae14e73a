/**
 * `sessions.counted` now says through which event all rows beside an event's own are written: the counts of its lane as
 * before, its id and its row in `uncovered`. Those after it are few; an append alone writes one page instead of three.
 * Ids have a table of their own, since an index is always written with its row.
 */
export const migration0007 = `
DROP INDEX events_id;
CREATE TABLE event_ids (
  session INTEGER NOT NULL,
  id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (session, id)
) STRICT, WITHOUT ROWID;
INSERT INTO event_ids (session, id, seq)
  SELECT e.session, e.id, e.seq FROM events e CROSS JOIN sessions s ON s.session = e.session AND e.seq <= s.counted;
DELETE FROM uncovered WHERE EXISTS (
  SELECT 1 FROM lanes l CROSS JOIN sessions s ON s.session = l.session
  WHERE l.lane = uncovered.lane AND uncovered.seq > s.counted);
`;
