/** Which lane records a root view was made from the summaries of, beside those it supersedes. */
export const migration0002 = `
CREATE TABLE overs (
  below INTEGER NOT NULL,
  record INTEGER NOT NULL,
  PRIMARY KEY (below, record)
) STRICT, WITHOUT ROWID;
`;
