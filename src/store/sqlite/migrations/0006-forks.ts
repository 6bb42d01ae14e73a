/**
 * Records are found by where they reach: `fork` is what `forkOf` makes of `first` and `last`. Of a record and of a raw
 * event, `under` now says only whether it lies in a live root view: which one that is changes with every merge of root
 * views, of all the events and records in them, and the root views themselves say it.
 */
export const migration0006 = `
ALTER TABLE records ADD COLUMN fork INTEGER NOT NULL DEFAULT 0;
CREATE INDEX records_reach ON records (root, root_view, fork) WHERE live = 1 OR undone = 1;
DROP INDEX records_touching;
UPDATE records SET under = 1 WHERE under <> 0;
UPDATE uncovered SET under = 1 WHERE under <> 0;
`;
