/**
 * What summarizers cost, by session and hour (since the epoch, UTC). Names and not rows of `sessions`: a session that is
 * deleted takes nothing of it along. `spend_tokens` is the same by tenant, a user or, with `user` empty, an application:
 * an allowance is checked before every call, and a tenant may have any number of sessions. What ended before these tables
 * were made is not in them: its attempts do not say what of their usage was reported.
 */
export const migration0004 = `
CREATE TABLE spend (
  app TEXT NOT NULL,
  user TEXT NOT NULL,
  session TEXT NOT NULL,
  hour INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  PRIMARY KEY (hour, app, user, session)
) STRICT, WITHOUT ROWID;
CREATE INDEX spend_user ON spend (app, user, session);

CREATE TABLE spend_tokens (
  app TEXT NOT NULL,
  user TEXT NOT NULL,
  hour INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  PRIMARY KEY (app, user, hour)
) STRICT, WITHOUT ROWID;
`;
